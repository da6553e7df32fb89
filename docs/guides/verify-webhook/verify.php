<?php
// php verify.php <secret> <signature header> <body file> [event id] [timestamp] [now]
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

function fresh(string $timestamp, int $now): bool
{
    return preg_match('/\A[0-9]{1,12}\z/', $timestamp) === 1 && abs($now - (int) $timestamp) <= TOLERANCE_SECONDS;
}

/** @param list<string> $entries */
function any_same(string $expected, array $entries): bool
{
    $found = false;
    foreach ($entries as $entry) {
        $found = hash_equals($expected, $entry) || $found;
    }
    return $found;
}

/** X-Service-Signature of version v1: `v1=<hex>` over the raw body. */
function verify_v1(string $secret, string $body, string $signature): bool
{
    return hash_equals('v1=' . hash_hmac('sha256', $body, $secret), $signature);
}

/** X-Service-Signature of version v2: `t=<unix seconds>,v2=<hex>[,v2=<hex>]` over `<event id>.<t>.<raw body>`. */
function verify_v2(string $secret, string $body, string $signature, string $eventId, ?int $now = null): bool
{
    $entries = explode(',', $signature);
    $first = array_shift($entries);
    $timestamp = str_starts_with($first, 't=') ? substr($first, 2) : '';
    if (!fresh($timestamp, $now ?? time())) {
        return false;
    }
    return any_same('v2=' . hash_hmac('sha256', "$eventId.$timestamp.$body", $secret), $entries);
}

/** webhook-signature of Standard Webhooks: `v1,<base64>[ v1,<base64>]` over `<webhook-id>.<webhook-timestamp>.<raw body>`. */
function verify_standard(
    string $secret,
    string $body,
    string $signature,
    string $id,
    string $timestamp,
    ?int $now = null,
): bool {
    if (!fresh($timestamp, $now ?? time())) {
        return false;
    }
    $digest = hash_hmac('sha256', "$id.$timestamp.$body", $secret, true);
    return any_same('v1,' . base64_encode($digest), explode(' ', $signature));
}

if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    [, $secret, $signature, $file] = $argv;
    $body = file_get_contents($file);
    [$id, $timestamp, $now] = [$argv[4] ?? '', $argv[5] ?? '', (int) ($argv[6] ?? time())];
    // Your endpoint calls the one check that it is set up for; this program looks at the shape to be shorter.
    $valid = match (true) {
        str_starts_with($signature, 'v1,') => verify_standard($secret, $body, $signature, $id, $timestamp, $now),
        str_starts_with($signature, 't=') => verify_v2($secret, $body, $signature, $id, $now),
        default => verify_v1($secret, $body, $signature),
    };
    echo $valid ? "valid\n" : "invalid\n";
    exit($valid ? 0 : 1);
}
