# What the guides call the API with, for bash with curl and Node. BASE_URL says where it is, API_KEY who calls.
# Answers are printed whole, errors too. A credential is never an argument of a program: others could read it there.

# as CREDENTIAL METHOD PATH [JSON] [HEADER]
as() {
  curl -sS -w '\n' -X "$2" "$BASE_URL$3" -H @<(printf 'Authorization: Bearer %s\n' "$1") \
    -H 'Content-Type: application/json' ${4:+-d "$4"} ${5:+-H "$5"}
}

# call METHOD PATH [JSON] [HEADER]
call() { as "$API_KEY" "$@"; }

# public PATH JSON: a POST that takes no credential.
public() { curl -sS -w '\n' "$BASE_URL$1" -H 'Content-Type: application/json' -d "$2"; }

# field EXPRESSION: prints that of the answer on standard input, for example order.id or 'orders[0].status'. An answer that is
# an error, or has no such field, goes to standard error and ends in 1; fields of the error itself can be asked for.
field() {
  node -e '
    const [expression] = process.argv.slice(1)
    const text = fs.readFileSync(0, "utf8")
    const refuse = (why) => {
      console.error(`${why}: ${text.trim() || "nothing"}`)
      process.exit(1)
    }
    const answer = (() => {
      try { return JSON.parse(text) } catch { return refuse("no JSON was answered") }
    })()
    if (answer.error && !/^(error|message|details|request_id)\b/.test(expression)) refuse("refused")
    const value = eval(`answer.${expression}`)
    if (value === undefined) refuse(`there is no ${expression}`)
    console.log(value)
  ' -- "$1"
}

# in_minutes NUMBER: an instant as the API takes it.
in_minutes() { node -p "new Date(Date.now() + $1 * 60_000).toISOString()"; }

# place_order [FIELDS]: an order from Marina to Lekki in an hour; more fields of `standardized` as '"notes":"second floor"'.
# CUSTOMER_PHONE says whose it is.
place_order() {
  call POST /v1/orders "{
    \"schema_version\": \"1\", \"source\": \"api\", \"external_order_id\": \"$(node -p 'crypto.randomUUID()')\", \"raw_payload\": {},
    \"standardized\": {
      \"pickup_address\": \"12 Marina Road, Lagos\", \"dropoff_address\": \"4 Admiralty Way, Lekki\",
      \"customer_name\": \"Adaeze Okoro\", \"customer_phone\": \"${CUSTOMER_PHONE:-08012345678}\",
      \"scheduled_pickup_at\": \"$(in_minutes 60)\",
      \"delivery_window_start\": \"$(in_minutes 90)\", \"delivery_window_end\": \"$(in_minutes 180)\"${1:+, $1}
    }
  }"
}
