import type { Session } from './command.ts'
import { EXIT, Failure } from './failure.ts'

/** Refuses before anything is sent what only a sandbox has. */
export function requireSandbox({ profile }: Session): void {
  if (profile().apiKey.startsWith('svc_live_'))
    throw new Failure('This needs a test key (svc_test_…): dispatch login', EXIT.usage)
}
