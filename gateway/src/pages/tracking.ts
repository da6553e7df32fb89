import { createHash } from 'node:crypto'
import type { ErrorCode } from '@svc/errors'
import type * as z from 'zod'
import type { tracking } from '../bodies/tracking.ts'
import type { Page } from '../http/route.ts'
import { Html, html } from './html.ts'

type Tracked = z.output<typeof tracking>

/** So that 50 pages behind one address stay within what an address may ask in a minute. */
const REFRESH_SECONDS = 60

/** The way of a delivery that goes well. */
const STEPS = ['pending', 'accepted', 'picked_up', 'in_transit', 'delivered']
const ENDED = new Set(['delivered', 'cancelled', 'returned_to_merchant', 'lost_in_transit'])

const WORDS: ReadonlyMap<string, string> = new Map([
  ['draft', 'In preparation'],
  ['pending', 'Looking for a rider'],
  ['accepted', 'A rider is on the way to the pickup'],
  ['picked_up', 'Picked up'],
  ['in_transit', 'On the way to you'],
  ['delivered', 'Delivered'],
  ['cancelled', 'Cancelled'],
  ['returned_to_merchant', 'Returned to the sender'],
  ['lost_in_transit', 'Lost on the way'],
])

const REFUSALS: Partial<Record<ErrorCode, { title: string; advice: string }>> = {
  not_found: {
    title: 'There is no such delivery',
    advice: 'The link may be incomplete. Open it again from the message in which you got it.',
  },
  tracking_expired: {
    title: 'This link has expired',
    advice: 'The delivery ended some time ago. Ask the shop if you have a question about it.',
  },
}
const FOR_NOW = { title: 'Not available right now', advice: 'This page tries again by itself.' }

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --accent: light-dark(#0b6b3a, #5bd08f) }
body { max-width: 34rem; margin: 0 auto; padding: 1.25rem; overflow-wrap: anywhere }
h1 { margin: .25rem 0 1rem; font-size: 1.6rem; line-height: 1.2 }
.note { margin: 0 0 1rem; padding: .5rem .8rem; border-radius: .4rem; background: #8882 }
ol { margin: 0 0 1.25rem; padding: 0; list-style: none }
li { position: relative; padding: 0 0 .9rem 1.9rem; opacity: .6 }
li::before { content: ""; position: absolute; left: .25rem; top: .35rem; width: .7rem; height: .7rem; border: 2px solid; border-radius: 50%; box-sizing: border-box }
li:not(:last-child)::after { content: ""; position: absolute; left: calc(.6rem - 1px); top: 1.05rem; bottom: -.35rem; border-left: 2px solid }
li.done, li.now { opacity: 1 }
li.done::before, li.now::before { background: var(--accent); border-color: var(--accent) }
li.done::after { border-color: var(--accent) }
li.now { font-weight: 600 }
dl { display: grid; grid-template-columns: minmax(6rem, auto) 1fr; gap: .5rem 1rem; margin: 0 }
dt { opacity: .7 }
dd { margin: 0 }
#refreshed { margin: 1.25rem 0 0; font-size: .85rem; opacity: .7 }
`

// Times are shown as the reader's clock has them, and what has changed takes the place of what is shown. Between two
// requests lies the interval, or Retry-After where that is longer, and up to a fifth of it by chance: pages that were
// opened or refused together do not ask together. An answer without the parts of this page is somebody else's, such as
// that of a network which wants a log-in: what is shown stays, and says how old it is.
const SCRIPT = `
const PARTS = ['status', 'details', 'refreshed']
const format = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })
const shown = {}
const localize = () => {
  for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime))
}
const show = (page) => {
  for (const id of PARTS) {
    const part = page.getElementById(id)
    if (part.innerHTML === shown[id]) continue
    shown[id] = part.innerHTML
    if (page !== document) document.getElementById(id).replaceChildren(...part.childNodes)
  }
  document.title = page.title
  document.body.dataset.refresh = page.body.dataset.refresh
  localize()
}
let due
const rest = (seconds) => { due = Date.now() + seconds * (1000 + 200 * Math.random()) }
const refresh = async () => {
  const interval = document.body.dataset.refresh
  if (document.hidden || interval === '' || Date.now() < due) return
  rest(interval)
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (!answer) return
  rest(Math.max(interval, Number(answer.headers.get('retry-after')) || 0))
  if (answer.status === 429 || answer.status >= 500) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (PARTS.every((id) => page.getElementById(id))) show(page)
}
show(document)
rest(document.body.dataset.refresh)
setInterval(refresh, 1000)
document.addEventListener('visibilitychange', refresh)
`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

// What this page runs and looks like is known by its digest; nothing else runs, and nothing is asked of another server.
const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What a customer sees who opens a tracking link in a browser: what the JSON holds, and nothing more. */
export const trackingPage: Page<Tracked> = {
  policy: POLICY,
  shown: (tracked) => pageOf(wordsFor(tracked.status), detailsOf(tracked), !ENDED.has(tracked.status)),
  refused({ code }) {
    const { title, advice } = REFUSALS[code] ?? FOR_NOW
    return pageOf(title, html`<p>${advice}</p>`, REFUSALS[code] === undefined)
  },
}

/** A merchant may have statuses of its own. */
const wordsFor = (status: string): string => WORDS.get(status) ?? (plain(status) || 'Under way')

const plain = (name: string): string => {
  const words = name.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function detailsOf(tracked: Tracked): Html {
  const { status, rider, eta } = tracked
  const isUnderWay = !ENDED.has(status)
  return html`
${tracked.is_test ? html`<p class="note">A test: nothing is delivered.</p>` : undefined}
${timeLine(status)}
<dl>
${isUnderWay && eta ? row('Expected', html`around ${timeOf(eta.p50_at)}, most likely by ${timeOf(eta.p90_at)}`) : undefined}
${isUnderWay && rider ? riderRows(rider) : undefined}
${row('From', tracked.pickup.text)}
${row('To', tracked.dropoff.text)}
${isUnderWay ? plannedRows(tracked) : undefined}
${row('Last change', timeOf(tracked.updated_at))}
</dl>`
}

/** Empty where a delivery did not go its usual way. */
function timeLine(status: string): Html | undefined {
  const at = STEPS.indexOf(status)
  if (at < 0) return undefined
  const steps = STEPS.map((step, i) => {
    if (i < at) return html`<li class="done">${wordsFor(step)}</li>`
    return i === at
      ? html`<li class="now" aria-current="step">${wordsFor(step)}</li>`
      : html`<li>${wordsFor(step)}</li>`
  })
  return html`<ol>${steps}</ol>`
}

function riderRows({ first_name, vehicle_type, position }: NonNullable<Tracked['rider']>): Html {
  const who = [first_name, vehicle_type && plain(vehicle_type).toLowerCase()].filter(Boolean).join(', ')
  return html`${who === '' ? undefined : row('Rider', who)}${position ? row('Last seen', placeOf(position)) : undefined}`
}

function placeOf({ lat, lng, recorded_at }: { lat: number; lng: number; recorded_at: string }): Html {
  const point = `${lat.toFixed(5)},${lng.toFixed(5)}`
  return html`<a href="geo:${point}">${point.replace(',', ', ')}</a>, ${timeOf(recorded_at)}`
}

function plannedRows({ scheduled_pickup_at, delivery_window_start, delivery_window_end }: Tracked): Html {
  const hasWindow = delivery_window_start !== null && delivery_window_end !== null
  return html`
${scheduled_pickup_at === null ? undefined : row('Pickup planned', timeOf(scheduled_pickup_at))}
${hasWindow ? row('Delivery planned', html`${timeOf(delivery_window_start)} to ${timeOf(delivery_window_end)}`) : undefined}`
}

const row = (name: string, value: string | Html): Html => html`<dt>${name}</dt><dd>${value}</dd>`

const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** An instant, in UTC where no script says it by the reader's clock. */
const timeOf = (instant: string): Html => html`<time datetime="${instant}">${utc.format(new Date(instant))} UTC</time>`

const pageOf = (title: string, details: Html, refreshes: boolean): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Delivery</title>
<link rel="icon" href="data:,">
${refreshes ? html`<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>` : undefined}
<style>${new Html(STYLE)}</style>
</head>
<body data-refresh="${refreshes ? REFRESH_SECONDS : ''}">
<main>
<div id="status" role="status"><h1>${title}</h1></div>
<div id="details">${details}</div>
<p id="refreshed">Last refreshed ${timeOf(new Date().toISOString())}</p>
</main>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`.text
