// Reads a stream of server-sent events with a client of Go, and prints the data of each message as JSON: `sse-go CLIENT URL`.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	"github.com/launchdarkly/eventsource"
	"github.com/r3labs/sse/v2"
	tmaxmax "github.com/tmaxmax/go-sse"
	"gopkg.in/cenkalti/backoff.v1"
)

func show(data string) {
	text, _ := json.Marshal(data)
	fmt.Println(string(text))
}

func main() {
	url := os.Args[2]
	switch os.Args[1] {
	case "r3labs/sse":
		client := sse.NewClient(url)
		client.ReconnectStrategy = &backoff.StopBackOff{}
		_ = client.SubscribeRaw(func(event *sse.Event) { show(string(event.Data)) })
	case "launchdarkly/eventsource":
		response, err := http.Get(url)
		if err != nil {
			log.Fatal(err)
		}
		decoder := eventsource.NewDecoder(response.Body)
		for {
			event, err := decoder.Decode()
			if err == io.EOF {
				return
			} else if err != nil {
				log.Fatal(err)
			}
			show(event.Data())
		}
	case "tmaxmax/go-sse":
		response, err := http.Get(url)
		if err != nil {
			log.Fatal(err)
		}
		for event, err := range tmaxmax.Read(response.Body, nil) {
			if err != nil {
				return
			}
			show(event.Data)
		}
	}
}
