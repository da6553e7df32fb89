import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where the system keeps secrets, unlocked by whoever logs in to it. Each call answers undefined or false where it cannot. */
export interface Keyring {
  get(account: string): string | undefined
  /** Whether it is kept, and given back. */
  set(account: string, secret: string): boolean
  remove(account: string): void
}

const SERVICE = 'delivery-dispatch'

/** A locked keyring asks for its password in a window of its own; nobody answers it where nobody sits. */
const ANSWER_WITHIN_MS = 60_000

/** The keyring of this system; undefined where it has none, or DISPATCH_KEYRING is `off`. */
export function systemKeyring(env: NodeJS.ProcessEnv): Keyring | undefined {
  if (env['DISPATCH_KEYRING'] === 'off') return undefined
  if (process.platform === 'darwin') return keychain(env)
  return process.platform === 'linux' && hasBus(env) ? secretService(env) : undefined
}

/** Without a bus of the session `secret-tool` would start one, with a keyring that nobody else sees. */
const hasBus = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env['DBUS_SESSION_BUS_ADDRESS']) || existsSync(join(env['XDG_RUNTIME_DIR'] ?? '/nowhere', 'bus'))

/** A program's answer; undefined where there is no such program, or it failed. Secrets go in as `input`, never as arguments. */
function answerOf(env: NodeJS.ProcessEnv, program: string, args: string[], input = ''): string | undefined {
  const { status, stdout } = spawnSync(program, args, { env, input, encoding: 'utf8', timeout: ANSWER_WITHIN_MS })
  return status === 0 ? stdout : undefined
}

function secretService(env: NodeJS.ProcessEnv): Keyring {
  const tool = (args: string[], input?: string) => answerOf(env, 'secret-tool', args, input)
  const of = (account: string) => ['service', SERVICE, 'account', account]
  const get = (account: string) => tool(['lookup', ...of(account)]) || undefined
  return {
    get,
    set(account, secret) {
      tool(['store', '--label=Delivery Dispatch', ...of(account)], secret)
      return get(account) === secret
    },
    remove: (account) => void tool(['clear', ...of(account)]),
  }
}

function keychain(env: NodeJS.ProcessEnv): Keyring {
  const security = (args: string[], input?: string) => answerOf(env, 'security', args, input)
  const get = (account: string) =>
    security(['find-generic-password', '-s', SERVICE, '-a', account, '-w'])?.trimEnd() || undefined
  return {
    get,
    set(account, secret) {
      // Its commands can be read from standard input; there a secret stands as hexadecimal digits, which need no quoting.
      const quoted = `"${account.replaceAll(/["\\]/g, String.raw`\$&`)}"`
      const hex = Buffer.from(secret).toString('hex')
      security(['-i'], `add-generic-password -U -s ${SERVICE} -a ${quoted} -X ${hex}\n`)
      return get(account) === secret
    },
    remove: (account) => void security(['delete-generic-password', '-s', SERVICE, '-a', account]),
  }
}
