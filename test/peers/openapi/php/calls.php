<?php
// Makes the twelve calls through the client that openapi-generator made, and prints what it got as JSON.
require '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/generated/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
    if (str_starts_with($class, 'OpenAPI\\Client\\')) require $file;
});

use OpenAPI\Client\Api;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model;

function configurationOf(string $key): Configuration
{
    return (new Configuration())->setHost(getenv('DAEMON_URL'))->setApiKey('X-API-Key', $key);
}

function statusOf(callable $call): int
{
    try {
        $call();
    } catch (ApiException $refusal) {
        return $refusal->getCode();
    }
    return 0;
}

[$project, $board, $user] = [getenv('DAEMON_PROJECT'), getenv('DAEMON_BOARD'), getenv('DAEMON_USER')];
$own = configurationOf(getenv('DAEMON_API_KEY'));
$sanctions = new Api\SanctionsApi(null, $own);
$participants = new Api\ParticipantsApi(null, $own);
$gameplay = new Api\GameplayApi(null, $own);

$ready = (new Api\WatchingApi(null, $own))->getReadiness();
$participant = $participants->createParticipant($project, new Model\CreateParticipantRequest(['external_user_id' => $user]));
$wanted = new Model\CreateSanctionRequest(['type' => 'mute', 'external_user_id' => $user]);
$sanction = $sanctions->createSanction($project, $wanted);
$id = $sanction->getId();
$page = $sanctions->listSanctions($project, 1, 0, null, $user);
$revoked = $sanctions->revokeSanction($project, $id, null, new Model\RevokeSanctionRequest());
$change = new Model\UpdateSanctionRequest(['reason' => 'too late']);
$conflict = statusOf(fn () => $sanctions->updateSanction($project, $id, $change));
$unknown = statusOf(fn () => $sanctions->getSanction($project, '00000000-0000-7000-8000-000000000000'));
$score = ['user_id' => $user, 'event_name' => 'achieve-score', 'metadata' => ['score' => 3_000_000_000]];
$event = $gameplay->sendEvent(new Model\EventPayload($score));
$member = (new Api\GameplayConfigurationApi(null, $own))->getLeaderboardMember($project, $board, 'user', $user);
$kill = ['user_id' => $user, 'event_name' => 'kill-enemy', 'metadata' => ['amount' => 1]];
$upload = $gameplay->sendEvents(new Model\EventBatch(['events' => array_fill(0, 200, $kill)]));
$foreign = new Api\ParticipantsApi(null, configurationOf('earshot_live_wrong'));
$stranger = statusOf(fn () => $foreign->listParticipants($project));
[, $removed] = $participants->deleteParticipantWithHttpInfo($project, $participant->getId());

echo json_encode([
    'ready' => $ready->getStatus(),
    'participant' => $participant->getExternalUserId(),
    'permanent' => $sanction->getEndAt() === null && $sanction->getReason() === null,
    'page' => [$page->getTotal(), count($page->getSanctions())],
    'revoked' => $revoked->getStatus(),
    'conflict' => $conflict,
    'unknown' => $unknown,
    'event' => $event->getMessage(),
    'score' => $member->getMember()->getScore(),
    'upload' => count($upload->getResults()),
    'stranger' => $stranger,
    'removed' => $removed,
]), "\n";
