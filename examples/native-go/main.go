// Speaks a WAV file in a voice room and writes what it hears to WAV files, as a native game does with a microphone and
// loudspeakers. It says when a moderator mutes it, and comes back after a loss of the network.
//
//	EARSHOT_ROOM=http://127.0.0.1:8080/rooms/demo EARSHOT_ROOM_TOKEN=… go run -tags nolibopusfile . speak.wav heard
//
// Lines on standard input stand for what happens in the game: `talk off`, `talk on` (push to talk), `volume bob 0.25`
// (bob is far away). It needs libopus: on Debian, apt-get install libopus-dev pkg-config.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/pion/webrtc/v4"
)

const lines = 2 // how many people are heard at the same time; a room offers up to eight lines

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "Usage: native SPEAK.wav HEARD, with EARSHOT_ROOM and EARSHOT_ROOM_TOKEN")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := play(ctx, os.Args[1], os.Args[2]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("left")
}

func play(ctx context.Context, speak, heard string) error {
	mouth, err := newMouth(speak)
	if err != nil {
		return err
	}
	ears, err := newEars(heard)
	if err != nil {
		return err
	}
	defer ears.close()
	go obey(mouth, ears)
	room := room{url: os.Getenv("EARSHOT_ROOM"), token: os.Getenv("EARSHOT_ROOM_TOKEN")}
	for wait := 250 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		began := time.Now()
		err := visit(ctx, room, mouth, ears)
		var final *refused
		if ctx.Err() != nil {
			return nil
		} else if errors.As(err, &final) {
			return final
		}
		if time.Since(began) > time.Minute {
			wait = 250 * time.Millisecond
		}
		fmt.Printf("lost (%v), coming back\n", err)
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// visit is in the room until the context ends or something is lost. It returns *refused where coming back is of no use.
func visit(ctx context.Context, room room, mouth *mouth, ears *ears) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	events, err := room.events(ctx)
	if err != nil {
		return err
	}
	go func() { cancel(events.follow(func(e event) { show(e, mouth, ears) })) }()

	listener, err := newPeer(cancel)
	if err != nil {
		return err
	}
	defer listener.Close()
	for range lines {
		recvonly := webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly}
		if _, err := listener.AddTransceiverFromKind(webrtc.RTPCodecTypeAudio, recvonly); err != nil {
			return err
		}
	}
	listener.OnTrack(func(track *webrtc.TrackRemote, receiver *webrtc.RTPReceiver) {
		for line, transceiver := range listener.GetTransceivers() {
			if transceiver.Receiver() == receiver {
				ears.hear(track, line)
			}
		}
	})
	leave, err := room.join(ctx, "whep", listener)
	if err != nil {
		return err
	}
	defer leave()

	speaker, err := newPeer(cancel)
	if err != nil {
		return err
	}
	defer speaker.Close()
	track, err := webrtc.NewTrackLocalStaticSample(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus}, "voice", "voice")
	if err != nil {
		return err
	}
	sendonly := webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionSendonly}
	if _, err := speaker.AddTransceiverFromTrack(track, sendonly); err != nil {
		return err
	}
	leave, err = room.join(ctx, "whip", speaker)
	if err != nil {
		return err
	}
	defer leave()
	fmt.Println("in the room")
	go func() { cancel(mouth.speak(ctx, track)) }()
	<-ctx.Done()
	return context.Cause(ctx)
}

func newPeer(lost context.CancelCauseFunc) (*webrtc.PeerConnection, error) {
	peer, err := webrtc.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return nil, err
	}
	peer.OnConnectionStateChange(func(state webrtc.PeerConnectionState) {
		if state == webrtc.PeerConnectionStateFailed || state == webrtc.PeerConnectionStateClosed {
			lost(fmt.Errorf("connection %s", state))
		}
	})
	return peer, nil
}

// show says what a game would draw.
func show(e event, mouth *mouth, ears *ears) {
	switch e.Type {
	case "room.state":
		for _, slot := range e.Slots {
			ears.setSpeaker(slot.Slot, slot.Speaker)
		}
	case "room.peer":
		fmt.Printf("%s %s\n", e.Person.ExternalUserID, e.Change)
	case "room.slot":
		ears.setSpeaker(e.Slot, e.Speaker)
		if e.Speaker != "" {
			fmt.Printf("line %d: %s\n", e.Slot, e.Speaker)
		}
	case "room.muted": // the room drops the sound of somebody who is muted; not sending it saves the network
		mouth.muted.Store(e.Muted)
		if e.Muted {
			fmt.Printf("muted: %s\n", e.Reason)
		} else {
			fmt.Println("no longer muted")
		}
	case "room.warned":
		fmt.Printf("warned: %s\n", e.Reason)
	}
}

func obey(mouth *mouth, ears *ears) {
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		switch words := strings.Fields(input.Text()); {
		case len(words) == 2 && words[0] == "talk":
			mouth.quiet.Store(words[1] == "off")
		case len(words) == 3 && words[0] == "volume":
			if volume, err := strconv.ParseFloat(words[2], 64); err == nil {
				ears.setVolume(words[1], volume)
			}
		}
	}
}
