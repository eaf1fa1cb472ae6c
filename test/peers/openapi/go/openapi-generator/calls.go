// Makes the twelve calls through the client that openapi-generator made, and prints what it got as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	earshot "earshot/work/openapi-generator-go/generated"
)

func main() {
	project, board, user := os.Getenv("DAEMON_PROJECT"), os.Getenv("DAEMON_BOARD"), os.Getenv("DAEMON_USER")
	client := clientOf(os.Getenv("DAEMON_API_KEY"))
	ctx := context.Background()

	ready := got(client.WatchingAPI.GetReadiness(ctx).Execute())
	participant := got(client.ParticipantsAPI.CreateParticipant(ctx, project).
		CreateParticipantRequest(*earshot.NewCreateParticipantRequest(user)).Execute())
	wanted := earshot.NewCreateSanctionRequest("mute")
	wanted.SetExternalUserId(user)
	sanction := got(client.SanctionsAPI.CreateSanction(ctx, project).CreateSanctionRequest(*wanted).Execute())
	page := got(client.SanctionsAPI.ListSanctions(ctx, project).ExternalUserId(user).Limit(1).Execute())
	revoked := got(client.SanctionsAPI.RevokeSanction(ctx, project, sanction.Id).
		RevokeSanctionRequest(*earshot.NewRevokeSanctionRequest()).Execute())
	change := earshot.NewUpdateSanctionRequest()
	change.SetReason("too late")
	conflict := status(client.SanctionsAPI.UpdateSanction(ctx, project, sanction.Id).UpdateSanctionRequest(*change).Execute())
	unknown := status(client.SanctionsAPI.GetSanction(ctx, project, "00000000-0000-7000-8000-000000000000").Execute())
	payload := earshot.NewEventPayload("achieve-score")
	payload.SetUserId(user)
	payload.SetMetadata(map[string]any{"score": int64(3_000_000_000)})
	event := got(client.GameplayAPI.SendEvent(ctx).EventPayload(*payload).Execute())
	member := got(client.GameplayConfigurationAPI.GetLeaderboardMember(ctx, project, board, "user", user).Execute())
	events := make([]any, 200)
	for at := range events {
		events[at] = map[string]any{"user_id": user, "event_name": "kill-enemy", "metadata": map[string]int{"amount": 1}}
	}
	upload := got(client.GameplayAPI.SendEvents(ctx).EventBatch(*earshot.NewEventBatch(events)).Execute())
	stranger := status(clientOf("earshot_live_wrong").ParticipantsAPI.ListParticipants(ctx, project).Execute())
	removed, err := client.ParticipantsAPI.DeleteParticipant(ctx, project, participant.Id).Execute()
	if err != nil {
		panic(err)
	}

	said, _ := json.Marshal(map[string]any{
		"ready": ready.Status, "participant": participant.ExternalUserId,
		"permanent": sanction.EndAt.Get() == nil && sanction.Reason.Get() == nil,
		"page":      []int{int(page.Total), len(page.Sanctions)},
		"revoked":   revoked.Status, "conflict": conflict, "unknown": unknown, "event": event.Message,
		"score": member.Member.Score, "upload": len(upload.Results), "stranger": stranger, "removed": removed.StatusCode,
	})
	fmt.Println(string(said))
}

func clientOf(key string) *earshot.APIClient {
	configuration := earshot.NewConfiguration()
	configuration.Servers = earshot.ServerConfigurations{{URL: os.Getenv("DAEMON_URL")}}
	configuration.AddDefaultHeader("X-API-Key", key)
	return earshot.NewAPIClient(configuration)
}

func got[T any](answer T, _ *http.Response, err error) T {
	if err != nil {
		panic(err)
	}
	return answer
}

func status[T any](_ T, response *http.Response, _ error) int { return response.StatusCode }
