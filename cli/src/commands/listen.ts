import { ConnectionError, DispatchError, type Event } from '@delivery-dispatch/sdk'
import type { Command, Session, Values } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { forward, type Target } from '../forward.ts'
import { onKey } from '../on-key.ts'
import { pause } from '../pause.ts'
import type { Position } from '../position.ts'
import { newSecret } from '../profiles.ts'

/** While nothing happens: a test key may be used 60 times a minute, and more than this one command uses it. */
const ASK_EVERY_MS = 2_000
const AGAIN_AFTER_MS = 2_000

export const listen: Command = {
  usage: 'listen --forward-to URL',
  summary: 'Post every event to an address of yours, signed like the real ones. Works where nobody can reach you',
  options: {
    'forward-to': { type: 'string', value: 'URL', text: 'Where your receiver is: http://127.0.0.1:9000/hooks' },
    signature: { type: 'string', value: 'v1|v2', text: 'v1 unless given' },
    events: { type: 'string', value: 'A,B', text: 'Only events of these names' },
    'from-start': { type: 'boolean', text: 'The first time: everything that the log still has' },
    'from-now': { type: 'boolean', text: 'Without what happened since it ended before' },
  },
  async run(session, _, values) {
    const target = targetOf(session, values, this.usage)
    const wanted = typeof values['events'] === 'string' ? values['events'].split(',') : undefined
    const { output, dispatch, signal } = session
    const position = session.position(target.url)

    let after = await beginning(session, position, values)
    output.note(`Signed with ${output.paint('bold', target.secret)}`)
    let last: Event | undefined
    const stopKeys = onKey('r', () => {
      if (last) void forward(session, target, last, false)
      else output.note('Nothing was sent yet.')
    })
    if (process.stdin.isTTY) output.note('Press r to send the last one again.')
    try {
      for (let isTold = false; !signal.aborted; ) {
        try {
          for await (const { event, cursor } of dispatch().events.follow({ after, signal, intervalMs: ASK_EVERY_MS })) {
            isTold = false
            if (!wanted || wanted.includes(event.event)) {
              // One after the other: the events of an order arrive in their order.
              if (!(await forward(session, target, event, true))) return
              last = event
            }
            // Once it is answered: who is killed before that sends this one again, and none is left out.
            after = cursor
            position?.keep(cursor)
          }
        } catch (error) {
          if (signal.aborted) return
          if (!isPassing(error)) throw error
          if (!isTold) output.note(output.paint('yellow', `${(error as Error).message} Waiting for the service.`))
          isTold = true
          await pause(AGAIN_AFTER_MS, signal)
        }
      }
    } finally {
      stopKeys()
    }
  },
}

function targetOf({ profile, env }: Session, values: Values, usage: string): Target {
  const url = addressOf(values['forward-to'])
  if (!url) throw new Failure(`dispatch ${usage}, for example http://127.0.0.1:9000/hooks`, EXIT.usage)
  const version = values['signature'] ?? 'v1'
  if (version !== 'v1' && version !== 'v2') throw new Failure('--signature is v1 or v2.', EXIT.usage)
  if (values['from-start'] && values['from-now'])
    throw new Failure('--from-start and --from-now exclude each other.', EXIT.usage)
  return { url, version, secret: env['DISPATCH_WEBHOOK_SECRET'] ?? profile().webhookSecret ?? newSecret() }
}

/** `localhost:9000/hooks`, as people type it, is one on http. */
function addressOf(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const text = given.includes('://') ? given : `http://${given}`
  return /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text).href : undefined
}

/** Where it ended before, or the end of the log by now, which is kept before anybody is told; undefined: the oldest event. */
async function beginning(
  { output, dispatch, signal }: Session,
  position: Position | undefined,
  values: Values,
): Promise<string | undefined> {
  const before = values['from-now'] ? undefined : position?.get()
  if (before !== undefined) {
    output.note('Going on where it ended before (--from-now leaves out what happened since). Ctrl+C ends.')
    return before
  }
  if (values['from-start']) {
    output.note('Sending everything that the log still has, and on as it happens. Ctrl+C ends.')
    return undefined
  }
  const { next_cursor: end } = await dispatch().listEvents({ after: 'latest' }, { signal })
  if (end !== null) position?.keep(end)
  output.note('Waiting for events. Ctrl+C ends.')
  return end ?? undefined
}

/** No answer, or one that says to come again. */
const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof DispatchError && (error.status === 429 || error.status >= 500))
