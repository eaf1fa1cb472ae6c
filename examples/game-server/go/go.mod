module example.com/gameserver

go 1.24.0

require (
	github.com/hashicorp/go-retryablehttp v0.7.8
	github.com/standard-webhooks/standard-webhooks/libraries v0.0.1
)

require github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
