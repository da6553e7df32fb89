import { AwsClient } from 'aws4fetch'
import { type NextFunction, type Request, type Response, Router } from 'express'
import type { Provider } from '../provider.ts'
import type { World } from '../world.ts'

/** A client that signs with these may do everything: they open nothing outside a local run. */
export const LOCAL_OBJECT_STORE = { accessKeyId: 'local-access-key', secretAccessKey: 'local-secret-key' } as const

/** Of each `local-access-key…` the secret is `local-secret-key…`, with the same end. */
const secretOf = (accessKeyId: string): string | undefined =>
  accessKeyId.startsWith(LOCAL_OBJECT_STORE.accessKeyId)
    ? accessKeyId.replace(LOCAL_OBJECT_STORE.accessKeyId, LOCAL_OBJECT_STORE.secretAccessKey)
    : undefined

interface StoredObject {
  contentType: string
  bytes: Buffer
}

const refuse = (response: Response, status: number, code: string, message: string): void => {
  response.status(status).type('xml').send(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`)
}

/** YYYYMMDDTHHMMSSZ */
const instantOf = (stamp: string): number =>
  Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/** Signs the request as its sender should have, and says whether that is how it came. */
async function isSigned(url: URL, request: Request): Promise<boolean> {
  const given = url.searchParams.get('X-Amz-Signature')
  const datetime = url.searchParams.get('X-Amz-Date')
  const [accessKeyId = '', , region] = url.searchParams.get('X-Amz-Credential')?.split('/') ?? []
  const secretAccessKey = secretOf(accessKeyId)
  const signed = url.searchParams.get('X-Amz-SignedHeaders')?.split(';') ?? []
  if (!given || !datetime || !region || !secretAccessKey) return false
  const unsigned = new URL(url)
  for (const name of ['Signature', 'Date', 'Credential', 'SignedHeaders', 'Algorithm']) {
    unsigned.searchParams.delete(`X-Amz-${name}`)
  }
  const headers = Object.fromEntries(
    signed.filter((name) => name !== 'host').map((name) => [name, String(request.headers[name] ?? '')]),
  )
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region })
  const again = await client.sign(unsigned, {
    method: request.method,
    headers,
    aws: { signQuery: true, datetime, allHeaders: true },
  })
  return new URL(again.url).searchParams.get('X-Amz-Signature') === given
}

/** A store that speaks as much S3 as presigned uploads and downloads need; in memory. */
export function objectStore(world: World): Provider {
  const objects = new Map<string, StoredObject>()
  const router = Router()

  router.use(async (request: Request, response: Response, next: NextFunction) => {
    const url = new URL(request.originalUrl, `http://${request.headers.host}`)
    if (!(await isSigned(url, request))) {
      return refuse(response, 403, 'SignatureDoesNotMatch', 'The signature does not match.')
    }
    const endsAt =
      instantOf(url.searchParams.get('X-Amz-Date') ?? '') + Number(url.searchParams.get('X-Amz-Expires') ?? 900) * 1000
    if (!(endsAt > world.now().getTime())) return refuse(response, 403, 'AccessDenied', 'Request has expired')
    next()
  })
  router.put('/{*key}', (request, response) => {
    if (request.get('if-none-match') === '*' && objects.has(request.path)) {
      return refuse(
        response,
        412,
        'PreconditionFailed',
        'At least one of the pre-conditions you specified did not hold',
      )
    }
    const bytes = response.locals.raw as Buffer
    objects.set(request.path, { contentType: request.get('content-type') ?? 'application/octet-stream', bytes })
    response.status(200).end()
  })
  router.delete('/{*key}', (request, response) => {
    objects.delete(request.path)
    response.status(204).end()
  })
  router.get('/{*key}', (request, response) => {
    const object = objects.get(request.path)
    if (!object) return refuse(response, 404, 'NoSuchKey', 'The specified key does not exist.')
    response.type(object.contentType).send(object.bytes)
  })

  return {
    name: 'object-store',
    router,
    reset: () => objects.clear(),
    bears: ({ query }) =>
      typeof query['X-Amz-Credential'] === 'string' ? query['X-Amz-Credential'].split('/')[0] : undefined,
  }
}
