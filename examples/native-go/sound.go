package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hraban/opus"
	"github.com/pion/webrtc/v4"
	"github.com/pion/webrtc/v4/pkg/media"
)

const (
	frameTime = 20 * time.Millisecond // one frame a packet
	heardRate = 48_000
)

// mouth speaks a file again and again, in place of a microphone.
type mouth struct {
	samples      []int16
	frame        int // samples of 20 ms, of all channels
	encoder      *opus.Encoder
	quiet, muted atomic.Bool
}

func newMouth(path string) (*mouth, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	samples, rate, channels, err := readWav(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	encoder, err := opus.NewEncoder(rate, channels, opus.AppVoIP)
	if err != nil {
		return nil, err
	}
	frame := rate / 50 * channels
	if len(samples) < frame {
		return nil, fmt.Errorf("%s is shorter than 20 ms", path)
	}
	return &mouth{samples: samples, frame: frame, encoder: encoder}, nil
}

// speak sends a frame every 20 ms; nothing while the key is up, or a moderator has muted us.
func (m *mouth) speak(ctx context.Context, track *webrtc.TrackLocalStaticSample) error {
	ticker := time.NewTicker(frameTime)
	defer ticker.Stop()
	packet := make([]byte, 1200) // the room drops larger ones
	for at := 0; ; at += m.frame {
		if at+m.frame > len(m.samples) {
			at = 0
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if m.quiet.Load() || m.muted.Load() {
			continue
		}
		size, err := m.encoder.Encode(m.samples[at:at+m.frame], packet)
		if err != nil {
			return err
		}
		if err := track.WriteSample(media.Sample{Data: packet[:size], Duration: frameTime}); err != nil {
			return err
		}
	}
}

// ears writes each line of the call to a file, in place of loudspeakers.
type ears struct {
	mutex    sync.Mutex
	files    []*os.File
	speakers []string // of each line: the room puts whoever speaks onto a free one
	volumes  map[string]float64
}

func newEars(prefix string) (*ears, error) {
	e := &ears{speakers: make([]string, lines), volumes: map[string]float64{}}
	for line := range lines {
		file, err := os.Create(fmt.Sprintf("%s-%d.wav", prefix, line))
		if err != nil {
			return nil, err
		}
		e.files = append(e.files, file)
		if err := writeWavHeader(file, 0); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// hear decodes one line until it ends.
func (e *ears) hear(track *webrtc.TrackRemote, line int) {
	decoder, err := opus.NewDecoder(heardRate, 1)
	if err != nil {
		return
	}
	samples := make([]int16, heardRate*120/1000) // the longest packet of Opus
	for {
		packet, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		if count, err := decoder.Decode(packet.Payload, samples); err == nil {
			e.write(line, samples[:count])
		}
	}
}

// write plays a line as loud as its speaker is near.
func (e *ears) write(line int, samples []int16) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	volume, isSet := e.volumes[e.speakers[line]]
	for i := range samples {
		if isSet {
			samples[i] = int16(float64(samples[i]) * min(volume, 1))
		}
	}
	_ = binary.Write(e.files[line], binary.LittleEndian, samples)
}

func (e *ears) setSpeaker(line int, speaker string) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if line < len(e.speakers) {
		e.speakers[line] = speaker
	}
}

func (e *ears) setVolume(speaker string, volume float64) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.volumes[speaker] = volume
}

// close completes the files: the header of a WAV file states its length.
func (e *ears) close() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, file := range e.files {
		if info, err := file.Stat(); err == nil {
			_ = writeWavHeader(file, uint32(info.Size()-44))
		}
		_ = file.Close()
	}
}

func writeWavHeader(file *os.File, bytes uint32) error {
	header := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00")
	header = binary.LittleEndian.AppendUint32(header, heardRate)
	header = binary.LittleEndian.AppendUint32(header, heardRate*2)
	header = append(header, "\x02\x00\x10\x00data"...)
	header = binary.LittleEndian.AppendUint32(header, bytes)
	binary.LittleEndian.PutUint32(header[4:], bytes+36)
	if _, err := file.WriteAt(header, 0); err != nil {
		return err
	}
	_, err := file.Seek(0, 2)
	return err
}

// readWav takes PCM of 16 bits, at 8, 12, 16, 24 or 48 kHz, which are the rates of Opus.
func readWav(data []byte) (samples []int16, rate, channels int, err error) {
	if len(data) < 12 || string(data[8:12]) != "WAVE" {
		return nil, 0, 0, errors.New("not a WAV file")
	}
	for at := 12; at+8 <= len(data); {
		size := int(binary.LittleEndian.Uint32(data[at+4:]))
		body := data[at+8 : min(at+8+size, len(data))]
		switch string(data[at : at+4]) {
		case "fmt ":
			if len(body) < 16 || binary.LittleEndian.Uint16(body) != 1 || binary.LittleEndian.Uint16(body[14:]) != 16 {
				return nil, 0, 0, errors.New("must be PCM of 16 bits")
			}
			channels, rate = int(binary.LittleEndian.Uint16(body[2:])), int(binary.LittleEndian.Uint32(body[4:]))
		case "data":
			samples = make([]int16, len(body)/2)
			for i := range samples {
				samples[i] = int16(binary.LittleEndian.Uint16(body[2*i:]))
			}
		}
		at += 8 + size + size%2
	}
	if rate == 0 || samples == nil {
		return nil, 0, 0, errors.New("has no sound")
	}
	return samples, rate, channels, nil
}
