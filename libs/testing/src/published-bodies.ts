import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Beside the repository, or where PUBLISHED_BODIES says: bodies that third parties have published are not ours to keep. */
const FOLDER = process.env['PUBLISHED_BODIES'] ?? join(import.meta.dirname, '../../../../shared/payloads')

/** A published body with what signs it, computed elsewhere. */
export interface SignedBody {
  /** As in `files`. */
  file: string
  secret: string
  headers: Record<string, string>
  /** The older way in which the provider signs, where it has one. */
  legacy_headers?: Record<string, string>
  alternative?: Record<string, string>
}

/** What a provider has published of its hooks; `arePresent` is false, and the lists are empty, where they are not at hand. */
export function publishedBodies(provider: string) {
  const arePresent = existsSync(FOLDER)
  if (!arePresent) process.emitWarning(`SKIPPED: the published bodies of ${provider} are not at ${FOLDER}`)
  return {
    arePresent,
    /** Names below the folder of all, `payments-a/transfer.success.json`. */
    files: arePresent ? readdirSync(join(FOLDER, provider)).map((name) => `${provider}/${name}`) : [],
    signed: arePresent ? signedBodies().filter((one) => one.provider === provider) : [],
    read: (file: string): Buffer => readFileSync(join(FOLDER, file)),
  }
}

function signedBodies(): ReadonlyArray<SignedBody & { provider: string }> {
  const text = readFileSync(join(FOLDER, 'signature-vectors.json'), 'utf8')
  return (JSON.parse(text) as { computed: Array<SignedBody & { provider: string }> }).computed
}
