export type Node = Readonly<Record<string, unknown>>
export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Everything in the description of the API that is an object, but what stands in examples. */
export function* nodesOf(value: unknown): Generator<Node> {
  if (!isNode(value)) return
  yield value
  for (const [name, inner] of Object.entries(value))
    if (name !== 'example' && name !== 'examples') yield* nodesOf(inner)
}
