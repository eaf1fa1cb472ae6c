package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/pion/webrtc/v4"
)

// room is the address of a room and the token of one person.
type room struct{ url, token string }

// refused says why the person may not be in the room: coming back with the same token is of no use.
type refused struct{ code, message string }

func (r *refused) Error() string { return fmt.Sprintf("refused (%s): %s", r.code, r.message) }

// call returns the answer if it has the status. Throttling and faults (429, 5xx) are errors that pass; the others are *refused.
func (r room) call(ctx context.Context, method, address, body string, status int) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+r.token)
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/sdp")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == status {
		return response, nil
	}
	defer response.Body.Close()
	var problem struct{ Code, Message string }
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(&problem); err != nil {
		return nil, fmt.Errorf("%s answered %s", address, response.Status)
	}
	if response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= 500 {
		return nil, errors.New(problem.Message)
	}
	return nil, &refused{problem.Code, problem.Message}
}

// join sends the offer of the peer (WHIP, WHEP) and takes the answer. The returned function leaves.
func (r room) join(ctx context.Context, kind string, peer *webrtc.PeerConnection) (leave func(), err error) {
	offer, err := peer.CreateOffer(nil)
	if err != nil {
		return nil, err
	}
	gathered := webrtc.GatheringCompletePromise(peer)
	if err := peer.SetLocalDescription(offer); err != nil {
		return nil, err
	}
	<-gathered // the offer holds all candidates: there is no trickle ICE
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	response, err := r.call(ctx, http.MethodPost, r.url+"/"+kind, peer.LocalDescription().SDP, http.StatusCreated)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	location, err := response.Location()
	if err != nil {
		return nil, err
	}
	leave = func() { r.leave(location) }
	description := webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: string(answer)}
	if err := peer.SetRemoteDescription(description); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

func (r room) leave(location *url.URL) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if response, err := r.call(ctx, http.MethodDelete, location.String(), "", http.StatusOK); err == nil {
		response.Body.Close()
	}
}

// event holds the fields that this program uses; docs: GET /rooms/{roomId}/events in /api/openapi.json.
type event struct {
	Type, Change, Reason, Message, Speaker string
	Muted, Rejoin                          bool
	ResourceID                             string `json:"resourceId"`
	Slot                                   int
	Slots                                  []struct {
		Slot    int
		Speaker string
	}
	Person struct {
		ExternalUserID string `json:"externalUserId"`
	}
}

type eventStream struct{ body io.ReadCloser }

func (r room) events(ctx context.Context) (*eventStream, error) {
	response, err := r.call(ctx, http.MethodGet, r.url+"/events", "", http.StatusOK)
	if err != nil {
		return nil, err
	}
	return &eventStream{response.Body}, nil
}

// follow hands over each event until the stream ends, and returns why: *refused if the person was removed for good.
func (s *eventStream) follow(take func(event)) error {
	defer s.body.Close()
	input := bufio.NewScanner(s.body)
	input.Buffer(nil, 1<<20)
	for input.Scan() {
		data, isData := strings.CutPrefix(input.Text(), "data: ")
		var e event
		if !isData || json.Unmarshal([]byte(data), &e) != nil {
			continue
		}
		if e.Type == "room.closed" || e.Type == "room.removed" && e.ResourceID == "" {
			if e.Rejoin {
				return fmt.Errorf("the room ended: %s", e.Reason)
			}
			return &refused{e.Reason, e.Message}
		}
		take(e)
	}
	return fmt.Errorf("the event stream ended: %w", errors.Join(input.Err(), io.EOF))
}
