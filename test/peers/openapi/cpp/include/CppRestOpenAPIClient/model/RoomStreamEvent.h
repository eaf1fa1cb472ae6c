#pragma once
#include "CppRestOpenAPIClient/AnyType.h"

/** Event of a room's stream, as JSON: openapi-generator makes a choice that it cannot read from an answer itself. */
namespace org::openapitools::client::model {
using RoomStreamEvent = AnyType;
}
