// What a game's server does with Earshot: lets players into voice, sends what they do, and hears what moderators decide.
//
//	EARSHOT_URL=… EARSHOT_PROJECT=… EARSHOT_API_KEY=… EARSHOT_WEBHOOK_SECRET=whsec_… PORT=3000 go run .
//
// The key needs the scopes tokens, sanctions:read and gameplay; `earshot webhooks create` shows the secret once.
// Lines on standard input stand for the game: `join ann`, `kill ann`.
package main

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

var client = retryablehttp.NewClient() // tries again after 429, 5xx and a lost connection, and honours Retry-After
var project = "/api/projects/" + os.Getenv("EARSHOT_PROJECT")
var events = make(chan any, 10_000)
var handled sync.Map // a delivery may come twice, under the same id; a game keeps these in its database

// call sends a request and reads the answer into result.
func call(method, path, key string, body, result any) error {
	data, _ := json.Marshal(body)
	request, _ := retryablehttp.NewRequest(method, os.Getenv("EARSHOT_URL")+path, data)
	request.Header = http.Header{"X-Api-Key": {os.Getenv("EARSHOT_API_KEY")}, "X-Project-Id": {os.Getenv("EARSHOT_PROJECT")},
		"Content-Type": {"application/json"}}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		problem, _ := io.ReadAll(response.Body) // says what to do
		return fmt.Errorf("%s: %s", response.Status, problem)
	}
	return json.NewDecoder(response.Body).Decode(result)
}

// join lets a player into the lobby, unless a ban is in force.
func join(player string) {
	var active []struct{ Type, Reason string }
	err := call("GET", project+"/sanctions/user/"+url.PathEscape(player)+"/active", "", nil, &active)
	for _, sanction := range active {
		if sanction.Type == "temp_ban" || sanction.Type == "perm_ban" {
			err = errors.New("banned: " + sanction.Reason)
		}
	}
	var access struct{ URL, Token string }
	if err == nil {
		err = call("POST", project+"/token", "", map[string]string{"roomId": "lobby", "userId": player}, &access)
	}
	if err != nil {
		fmt.Println(player, "is", err)
	} else {
		fmt.Println(player, "may join", access.URL, access.Token)
	}
}

// sendEvents sends what has gathered once a second, until the daemon has a result for each event, whatever a proxy says
// meanwhile. A batch that is sent again has the same key, so it counts once.
func sendEvents() {
	for first := range events {
		time.Sleep(time.Second)
		batch := []any{first}
		for len(batch) < 100 && len(events) > 0 {
			batch = append(batch, <-events)
		}
		var answer struct{ Results []map[string]any }
		for key := rand.Text(); len(answer.Results) != len(batch); time.Sleep(time.Second) {
			if err := call("POST", "/api/v1/events/batch", key, map[string]any{"events": batch}, &answer); err != nil {
				fmt.Println("batch of", len(batch), err)
			}
		}
		statuses := []any{}
		for index, result := range answer.Results {
			if statuses = append(statuses, result["status"]); result["status"] != 200.0 { // the daemon will never take this one
				fmt.Println("refused", batch[index], result["code"], result["details"])
			}
		}
		fmt.Println("batch of", len(batch), statuses)
	}
}

func main() {
	client.RetryMax, client.Logger, client.HTTPClient.Timeout = 100, nil, 10*time.Second
	client.Backoff = func(least, most time.Duration, attempt int, response *http.Response) time.Duration {
		return min(retryablehttp.DefaultBackoff(least, most, attempt, response), time.Minute) // a proxy may ask for weeks
	}
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("EARSHOT_WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /webhook", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if webhook.Verify(body, r.Header) != nil { // over the body as it came
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		var event struct{ Type, ResourceID string }
		_, isKnown := handled.LoadOrStore(r.Header.Get("webhook-id"), true)
		if err := json.Unmarshal(body, &event); err == nil && !isKnown {
			fmt.Println(event.Type, event.ResourceID)
		}
		w.WriteHeader(http.StatusNoContent)
	})
	go func() { log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)) }()
	go sendEvents()
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		if player, isJoin := strings.CutPrefix(input.Text(), "join "); isJoin {
			join(player)
		} else if player, isKill := strings.CutPrefix(input.Text(), "kill "); isKill {
			events <- map[string]any{"user_id": player, "event_name": "kill-enemy", "meta_data": map[string]int{"amount": 1}}
		}
	}
}
