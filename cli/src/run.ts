import { parseArgs } from 'node:util'
import { ConnectionError, DeliveryDispatch, DispatchError } from '@delivery-dispatch/sdk'
import manifest from '../package.json' with { type: 'json' }
import { LOCAL, safeBaseUrl } from './base-url.ts'
import { COMMON, type Command, type Session, type Values, wordsOf } from './command.ts'
import { advanceClock } from './commands/clock.ts'
import { completionOf } from './commands/completion.ts'
import { replay, retryDelivery, tailDeliveries } from './commands/deliveries.ts'
import { setEndpoint } from './commands/endpoint.ts'
import { listen } from './commands/listen.ts'
import { login, logout, profilesCommand, signup } from './commands/login.ts'
import { assignOrder, cancelOrder, createOrder, getOrder, listOrders } from './commands/orders.ts'
import { statement } from './commands/statement.ts'
import { status } from './commands/status.ts'
import { scenario, trigger } from './commands/trigger.ts'
import { verify } from './commands/verify.ts'
import { EXIT, Failure } from './failure.ts'
import { Output, plain } from './output.ts'
import { Position } from './position.ts'
import { environmentOf, type Profile, Profiles } from './profiles.ts'

const COMMANDS: readonly Command[] = [
  signup,
  login,
  logout,
  profilesCommand,
  status,
  listen,
  trigger,
  scenario,
  advanceClock,
  listOrders,
  getOrder,
  createOrder,
  assignOrder,
  cancelOrder,
  statement,
  setEndpoint,
  tailDeliveries,
  retryDelivery,
  replay,
  verify,
  completionOf(() => COMMANDS),
]

/** Runs one command line; resolves with what the process ends with. */
export async function run(argv: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  let output = new Output(false, env)
  try {
    if (['--version', '-V'].includes(argv[0] ?? '')) {
      process.stdout.write(`${manifest.version}\n`)
      return EXIT.done
    }
    const command = commandOf(argv)
    if (!command) {
      const asked = argv.length === 0 || ['help', '--help', '-h'].includes(argv[0]!)
      process[asked ? 'stdout' : 'stderr'].write(
        `${asked ? '' : `There is no command ${plain(argv.join(' '))}.\n\n`}${overview(output)}`,
      )
      return asked ? EXIT.done : EXIT.usage
    }
    const { values, positionals } = parsed(command, argv)
    output = new Output(values['json'] === true, env)
    if (values['help']) {
      process.stdout.write(helpOf(output, command))
      return EXIT.done
    }
    await command.run(sessionOf(output, env, values, signal), positionals, values)
    return EXIT.done
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted
    return told(output, error)
  }
}

/** The command whose words the line begins with. */
const commandOf = (argv: readonly string[]): Command | undefined =>
  COMMANDS.find(({ usage }) => wordsOf(usage).every((word, index) => argv[index] === word))

function parsed(command: Command, argv: readonly string[]): { values: Values; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: argv.slice(wordsOf(command.usage).length),
      allowPositionals: true,
      options: { ...COMMON, ...command.options },
    })
    return { values: values as Values, positionals }
  } catch (error) {
    throw new Failure(`${(error as Error).message}\ndispatch ${wordsOf(command.usage).join(' ')} --help`, EXIT.usage)
  }
}

function sessionOf(output: Output, env: NodeJS.ProcessEnv, values: Values, signal: AbortSignal): Session {
  const profiles = new Profiles(env)
  // For pipelines, which have no home to keep a profile in.
  const apiKey = values['profile'] === undefined ? env['DISPATCH_API_KEY'] : undefined
  const name = String(values['profile'] ?? profiles.current() ?? 'default')
  // Once: a keyring is a program that is started, and may ask whoever sits there.
  const profile = once((): Profile => {
    if (apiKey) return { apiKey, baseUrl: baseUrlOf(apiKey, env), environment: environmentOf(apiKey) }
    const found = profiles.get(name)
    if (!found)
      throw new Failure(`Nobody is logged in as ${name}: dispatch login, or set DISPATCH_API_KEY.`, EXIT.usage)
    return found
  })
  const position: Session['position'] = (url) => (apiKey ? undefined : new Position(profiles.folder, profile(), url))
  const dispatch = once(
    () => new DeliveryDispatch({ baseUrl: profile().baseUrl, credential: profile().apiKey, defaults: { signal } }),
  )
  return { output, profiles, profile, position, dispatch, signal, env }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** A live key goes where it was told to go, never to whatever listens on this machine. */
function baseUrlOf(apiKey: string, env: NodeJS.ProcessEnv): string {
  const given = env['DISPATCH_BASE_URL']
  if (!given && apiKey.startsWith('svc_live_'))
    throw new Failure('With a live key in DISPATCH_API_KEY, DISPATCH_BASE_URL must say where the API is.', EXIT.usage)
  return safeBaseUrl(given ?? LOCAL)
}

function told(output: Output, error: unknown): number {
  if (error instanceof Failure) {
    if (error.message) output.note(error.message)
    return error.exit
  }
  if (error instanceof DispatchError) {
    const { code, message, status: http, details, requestId } = error
    if (output.isJson) output.show({ error: code, message, details, request_id: requestId })
    else {
      output.note(`${output.paint('red', code)} (HTTP ${http})  ${plain(message)}`)
      if (code === 'unauthorized') output.note('Log in again: dispatch login')
      if (requestId) output.note(output.paint('dim', `request ${requestId}`))
    }
    return EXIT.refused
  }
  if (error instanceof ConnectionError) {
    const cause = (error.cause as { cause?: { code?: string } } | undefined)?.cause?.code
    if (output.isJson) output.show({ error: 'no_answer', message: error.message })
    output.note(`${output.paint('red', 'No answer')}  ${error.message}${cause ? ` (${cause})` : ''}`)
    return EXIT.noAnswer
  }
  throw error
}

function overview(output: Output): string {
  const rows = COMMANDS.map(({ usage, summary }) => [`  ${usage}`, summary])
  rows.push(['  --version', 'Which version this is'])
  const options = optionRows(COMMON)
  return [
    'Delivery Dispatch on the command line.',
    '',
    ...output.table(rows),
    '',
    'For every command:',
    ...output.table(options),
    '',
    'Ends with 0 when done, 1 when refused, 2 when it was not called right, 3 when nobody answered, 130 when interrupted.',
    '',
  ].join('\n')
}

const helpOf = (output: Output, { usage, summary, options = {} }: Command): string =>
  [`dispatch ${usage}`, '', `${summary}.`, '', ...output.table(optionRows({ ...options, ...COMMON })), ''].join('\n')

const optionRows = (options: NonNullable<Command['options']>): string[][] =>
  Object.entries(options).map(([name, { short, value, text }]) => [
    `  ${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
    text,
  ])
