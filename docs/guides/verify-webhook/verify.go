// go run verify.go <secret> <signature header> <body file> [event id] [timestamp] [now]
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 300

func sign(secret, prefix string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(prefix))
	mac.Write(body)
	return mac.Sum(nil)
}

func same(expected, given string) bool {
	return hmac.Equal([]byte(expected), []byte(given))
}

func fresh(timestamp string, now int64) bool {
	sent, err := strconv.ParseUint(timestamp, 10, 40)
	age := now - int64(sent)
	return err == nil && age >= -toleranceSeconds && age <= toleranceSeconds
}

func anySame(expected string, entries []string) bool {
	found := false
	for _, entry := range entries {
		found = same(expected, entry) || found
	}
	return found
}

// VerifyV1 checks X-Service-Signature of version v1: `v1=<hex>` over the raw body.
func VerifyV1(secret string, body []byte, signature string) bool {
	return same("v1="+hex.EncodeToString(sign(secret, "", body)), signature)
}

// VerifyV2 checks X-Service-Signature of version v2: `t=<unix seconds>,v2=<hex>[,v2=<hex>]` over `<event id>.<t>.<raw body>`.
func VerifyV2(secret string, body []byte, signature, eventID string, now int64) bool {
	entries := strings.Split(signature, ",")
	timestamp, found := strings.CutPrefix(entries[0], "t=")
	if !found || !fresh(timestamp, now) {
		return false
	}
	expected := "v2=" + hex.EncodeToString(sign(secret, eventID+"."+timestamp+".", body))
	return anySame(expected, entries[1:])
}

// VerifyStandard checks webhook-signature of Standard Webhooks: `v1,<base64>[ v1,<base64>]` over
// `<webhook-id>.<webhook-timestamp>.<raw body>`.
func VerifyStandard(secret string, body []byte, signature, id, timestamp string, now int64) bool {
	if !fresh(timestamp, now) {
		return false
	}
	expected := "v1," + base64.StdEncoding.EncodeToString(sign(secret, id+"."+timestamp+".", body))
	return anySame(expected, strings.Split(signature, " "))
}

func main() {
	args := append(os.Args[1:], "", "", "")
	secret, signature, id, timestamp := args[0], args[1], args[3], args[4]
	body, err := os.ReadFile(args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	now := time.Now().Unix()
	if given, err := strconv.ParseInt(args[5], 10, 64); err == nil {
		now = given
	}
	// Your endpoint calls the one check that it is set up for; this program looks at the shape to be shorter.
	var valid bool
	switch {
	case strings.HasPrefix(signature, "v1,"):
		valid = VerifyStandard(secret, body, signature, id, timestamp, now)
	case strings.HasPrefix(signature, "t="):
		valid = VerifyV2(secret, body, signature, id, now)
	default:
		valid = VerifyV1(secret, body, signature)
	}
	if !valid {
		fmt.Println("invalid")
		os.Exit(1)
	}
	fmt.Println("valid")
}
