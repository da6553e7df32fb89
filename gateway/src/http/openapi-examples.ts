/** What the description shows of operations. */
export interface Examples {
  /** A body that may be sent as it stands, by operation. */
  requests: Readonly<Record<string, unknown>>
  /** What is answered, by operation and status: `getOrder 200`. */
  replies: Readonly<Record<string, unknown>>
  /** What is posted to merchants, by event. */
  webhooks: Readonly<Record<string, unknown>>
}

interface Media {
  example?: unknown
  examples?: Record<string, { $ref: string }>
}
interface Body {
  $ref?: string
  content?: Record<string, Media>
}
interface Operation {
  operationId?: string
  requestBody?: Body
  responses?: Record<string, Body>
}
interface Document {
  paths?: Record<string, object>
  components?: { examples?: Record<string, object> }
}

/** Moves every example that several bodies have to the components, so that the document holds it once. */
export function shareExamples(document: Document): void {
  const shown = mediaOf(document).filter(({ media }) => media.example !== undefined)
  const components: Record<string, object> = {}
  for (const same of Map.groupBy(shown, ({ media }) => JSON.stringify(media.example)).values()) {
    const [first] = same
    if (!first || same.length < 2) continue
    components[first.id] = { value: first.media.example }
    for (const { media } of same) {
      delete media.example
      media.examples = { example: { $ref: `#/components/examples/${first.id}` } }
    }
  }
  document.components = { ...document.components, examples: { ...document.components?.examples, ...components } }
}

function mediaOf({ paths = {} }: Document): Array<{ id: string; media: Media }> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as Operation[])
  return operations.flatMap(({ operationId, requestBody, responses = {} }) =>
    Object.entries({ request: requestBody, ...responses }).flatMap(([part, body]) =>
      Object.entries(body?.content ?? {}).map(([type, media]) => ({
        id: [operationId, part, ...(type === 'text/html' ? ['page'] : [])].join('.'),
        media,
      })),
    ),
  )
}
