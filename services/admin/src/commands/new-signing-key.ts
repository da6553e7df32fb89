import { newSigningKey } from '../security/signing-keys.ts'

/** Prints a new private key for tokens and keeps nothing; each run prints another. What it is for says docs/runbooks/signing-keys.md. */
process.stdout.write(`${JSON.stringify(await newSigningKey())}\n`)
