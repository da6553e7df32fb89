import { openApiText } from './http/openapi.ts'
import { MEANINGS, OF_TAGS } from './meanings/index.ts'
import { asyncApiText } from './realtime/asyncapi.ts'
import { routes } from './routes/index.ts'
import { examplesOf } from './samples/examples.ts'
import { sockets } from './samples/sockets.ts'

/** The descriptions of the API and its sockets, as they are committed and served. */
export async function described(): Promise<Record<'openapi.json' | 'asyncapi.json', string>> {
  const examples = await examplesOf(routes)
  return {
    'openapi.json': openApiText(routes, { examples, meanings: MEANINGS, tags: OF_TAGS }),
    'asyncapi.json': asyncApiText(sockets, MEANINGS),
  }
}
