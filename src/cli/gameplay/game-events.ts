/** Properties of game events as flags: `--amount 3 --weapon-used bow`. */
import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import { gameEvents, propertiesOf, propertyType } from '../../contract/gameplay/game-events.js';
import { numberOf } from '../../text/number.js';

const properties = [...new Set(gameEvents.flatMap(propertiesOf))].sort();
const kebab = (property: string): string => property.replaceAll('_', '-');

export const metaDataFlags = (): Readonly<Record<string, Interfaces.OptionFlag<string | undefined>>> =>
  Object.fromEntries(
    properties.map((property) => [
      kebab(property),
      Flags.string({ description: `${propertyType(property)} property`, helpGroup: 'PROPERTIES' }),
    ]),
  );

/** Numbers as numbers; the daemon judges them. */
export const metaDataFrom = (flags: Readonly<Record<string, unknown>>): Record<string, string | number> =>
  Object.fromEntries(
    properties
      .map((property) => [property, flags[kebab(property)]] as const)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .map(([property, value]) => [property, propertyType(property) === 'number' ? (numberOf(value) ?? value) : value]),
  );
