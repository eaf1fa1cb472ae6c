import com.squareup.moshi.Moshi
import org.openapitools.client.apis.GameplayApi
import org.openapitools.client.apis.GameplayConfigurationApi
import org.openapitools.client.apis.GameplayConfigurationApi.MemberTypeGetLeaderboardMember
import org.openapitools.client.apis.ParticipantsApi
import org.openapitools.client.apis.SanctionsApi
import org.openapitools.client.apis.WatchingApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.models.CreateParticipantRequest
import org.openapitools.client.models.CreateSanctionRequest
import org.openapitools.client.models.EventBatch
import org.openapitools.client.models.EventPayload
import org.openapitools.client.models.RevokeSanctionRequest
import org.openapitools.client.models.UpdateSanctionRequest

fun given(name: String): String = System.getenv("DAEMON_$name")

fun statusOf(call: () -> Unit): Int =
    try {
        call()
        0
    } catch (refusal: ClientException) {
        refusal.statusCode
    }

/** Makes the twelve calls through the client that openapi-generator made, and prints what it got as JSON. */
fun main() {
    val url = given("URL")
    val project = given("PROJECT")
    val user = given("USER")
    val sanctions = SanctionsApi(url)
    val participants = ParticipantsApi(url)
    val gameplay = GameplayApi(url)
    ApiClient.apiKey["X-API-Key"] = given("API_KEY")
    val got = mutableMapOf<String, Any?>()

    got["ready"] = WatchingApi(url).getReadiness().status.value
    val participant = participants.createParticipant(project, CreateParticipantRequest(user))
    got["participant"] = participant.externalUserId
    val wanted = CreateSanctionRequest(CreateSanctionRequest.Type.mute, externalUserId = user)
    val sanction = sanctions.createSanction(project, wanted)
    got["permanent"] = sanction.endAt == null && sanction.reason == null
    val page = sanctions.listSanctions(project, limit = 1, externalUserId = user)
    got["page"] = listOf(page.total, page.sanctions.size)
    val id = sanction.id.toString()
    got["revoked"] = sanctions.revokeSanction(project, id, revokeSanctionRequest = RevokeSanctionRequest()).status.value
    got["conflict"] = statusOf { sanctions.updateSanction(project, id, UpdateSanctionRequest("too late")) }
    got["unknown"] = statusOf { sanctions.getSanction(project, "00000000-0000-7000-8000-000000000000") }
    val score = EventPayload("achieve-score", userId = user, metadata = mapOf("score" to 3_000_000_000L))
    got["event"] = gameplay.sendEvent(score).message.value
    val member = GameplayConfigurationApi(url)
        .getLeaderboardMember(project, given("BOARD"), MemberTypeGetLeaderboardMember.user, user)
    got["score"] = member.member.score
    val kill = mapOf("user_id" to user, "event_name" to "kill-enemy", "metadata" to mapOf("amount" to 1))
    got["upload"] = gameplay.sendEvents(EventBatch(List(200) { kill })).results.size
    got["removed"] = participants.deleteParticipantWithHttpInfo(project, participant.id.toString()).statusCode
    ApiClient.apiKey["X-API-Key"] = "earshot_live_wrong"
    got["stranger"] = statusOf { participants.listParticipants(project) }
    println(Moshi.Builder().build().adapter(Any::class.java).toJson(got))
}
