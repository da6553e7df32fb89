import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** What the provider answers with at a path, in place of what an honest one would. */
export type Answers = Record<string, Answer | undefined>

export const json =
  (body: object, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

/** A provider whose every answer a test may forge. */
export async function startForgingProvider() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const published: JWK[] = [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }]
  const answers: Answers = {}
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://any').pathname
    asked.push(path)
    const answer = answers[path] ?? honest[path]
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const description = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256', 'HS256', 'none'],
  }
  const honest: Answers = {
    '/.well-known/openid-configuration': json(description),
    '/jwks': json({ keys: published }),
  }

  return {
    issuer,
    description,
    answers,
    asked,
    publicKey: published[0]!,
    /** A token of the provider's own key, unless another is given. */
    sign: (claims: object, { key = privateKey, alg = 'RS256', kid = 'k1' }: Partial<Signing> = {}) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg, kid }).sign(key),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Signing {
  key: CryptoKey | Uint8Array
  alg: string
  kid: string
}

export type ForgingProvider = Awaited<ReturnType<typeof startForgingProvider>>
