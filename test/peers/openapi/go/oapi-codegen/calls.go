// Makes the twelve calls through the client that oapi-codegen made, and prints what it got as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	earshot "earshot/work/oapi-codegen/generated"
)

func main() {
	project, board, user := os.Getenv("DAEMON_PROJECT"), os.Getenv("DAEMON_BOARD"), os.Getenv("DAEMON_USER")
	client := clientOf(os.Getenv("DAEMON_API_KEY"))
	ctx := context.Background()

	ready := got(client.GetReadinessWithResponse(ctx))
	participant := got(client.CreateParticipantWithResponse(ctx, project, nil, earshot.CreateParticipantRequest{ExternalUserId: user}))
	sanction := got(client.CreateSanctionWithResponse(ctx, project, nil, earshot.CreateSanctionRequest{Type: "mute", ExternalUserId: &user}))
	one := int32(1)
	page := got(client.ListSanctionsWithResponse(ctx, project, &earshot.ListSanctionsParams{ExternalUserId: &user, Limit: &one}))
	id := sanction.JSON201.Id.String()
	revoked := got(client.RevokeSanctionWithResponse(ctx, project, id, nil, earshot.RevokeSanctionRequest{}))
	reason := "too late"
	conflict := got(client.UpdateSanctionWithResponse(ctx, project, id, earshot.UpdateSanctionRequest{Reason: &reason}))
	unknown := got(client.GetSanctionWithResponse(ctx, project, "00000000-0000-7000-8000-000000000000"))
	score := map[string]any{"score": int64(3_000_000_000)}
	event := got(client.SendEventWithResponse(ctx, nil, earshot.EventPayload{UserId: &user, EventName: "achieve-score", Metadata: &score}))
	member := got(client.GetLeaderboardMemberWithResponse(ctx, project, board, "user", user, nil))
	events := make([]any, 200)
	for at := range events {
		events[at] = map[string]any{"user_id": user, "event_name": "kill-enemy", "metadata": map[string]int{"amount": 1}}
	}
	upload := got(client.SendEventsWithResponse(ctx, nil, earshot.EventBatch{Events: events}))
	stranger := got(clientOf("earshot_live_wrong").ListParticipantsWithResponse(ctx, project, nil))
	removed := got(client.DeleteParticipantWithResponse(ctx, project, participant.JSON201.Id.String()))

	said, _ := json.Marshal(map[string]any{
		"ready": ready.JSON200.Status, "participant": participant.JSON201.ExternalUserId,
		"permanent": sanction.JSON201.EndAt == nil && sanction.JSON201.Reason == nil,
		"page":      []int{int(page.JSON200.Total), len(page.JSON200.Sanctions)},
		"revoked":   revoked.JSON200.Status, "conflict": conflict.StatusCode(), "unknown": unknown.StatusCode(),
		"event": event.JSON200.Message, "score": member.JSON200.Member.Score, "upload": len(upload.JSON200.Results),
		"stranger": stranger.StatusCode(), "removed": removed.StatusCode(),
	})
	fmt.Println(string(said))
}

func clientOf(key string) *earshot.ClientWithResponses {
	return got(earshot.NewClientWithResponses(os.Getenv("DAEMON_URL"), earshot.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("X-API-Key", key)
			return nil
		})))
}

func got[T any](answer T, err error) T {
	if err != nil {
		panic(err)
	}
	return answer
}
