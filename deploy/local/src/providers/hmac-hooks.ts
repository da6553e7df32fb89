import { createHmac } from 'node:crypto'
import type { HookSender } from './provider.ts'

interface Signing {
  algorithm: 'sha256' | 'sha512'
  encoding: 'hex' | 'base64'
  header: string
  secret: string
  defaultPath: string
  /** Modes that only this provider has. */
  others?: Readonly<Record<string, Record<string, string>>>
}

/** Signs hooks by a digest of the body under a shared secret. */
export function hmacHooks({ algorithm, encoding, header, secret, defaultPath, others = {} }: Signing): HookSender {
  const signed = (key: string, as: 'hex' | 'base64') => (body: Buffer) => ({
    [header]: createHmac(algorithm, key).update(body).digest(as),
  })
  const modes: Record<string, (body: Buffer) => Record<string, string>> = {
    good: signed(secret, encoding),
    hex: signed(secret, 'hex'),
    base64: signed(secret, 'base64'),
    bad: signed('the secret of somebody else', encoding),
    stale: signed(`${secret} of last year`, encoding),
    none: () => ({}),
    ...Object.fromEntries(Object.entries(others).map(([mode, headers]) => [mode, () => headers])),
  }
  return { defaultPath, signModes: Object.keys(modes), headers: (body, sign) => modes[sign]?.(body) ?? {} }
}
