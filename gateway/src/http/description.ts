import { readFileSync } from 'node:fs'

/** As `write-openapi.ts` leaves them: examples and schemas are worked out there, once. */
const textOf = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

/** The API description as it is served: the committed one, with the address of this installation where it is known. */
export function openApiDescription(baseUrl: string | undefined): string {
  const text = textOf('openapi.json')
  if (baseUrl === undefined) return text
  return JSON.stringify({ ...(JSON.parse(text) as object), servers: [{ url: baseUrl }] })
}

/** The description of the sockets likewise. */
export function asyncApiDescription(baseUrl: string | undefined): string {
  const text = textOf('asyncapi.json')
  if (baseUrl === undefined) return text
  const { host, protocol } = new URL(baseUrl)
  const server = { host, protocol: protocol === 'https:' ? 'wss' : 'ws', description: 'socket.io' }
  return JSON.stringify({ ...(JSON.parse(text) as object), servers: { here: server } })
}
