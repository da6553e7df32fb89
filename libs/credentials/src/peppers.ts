import { createHmac } from 'node:crypto'

/** Keys of digests: the first makes them, the others made some of before. */
export type Peppers = readonly [Buffer, ...Buffer[]]

const digestOf = (pepper: Buffer, text: string | Buffer): Buffer => createHmac('sha256', pepper).update(text).digest()

/** A digest of a text by each of the peppers, in their order. */
export const digestsOf = ([first, ...others]: Peppers, text: string | Buffer): [Buffer, ...Buffer[]] => [
  digestOf(first, text),
  ...others.map((pepper) => digestOf(pepper, text)),
]

/** By what is kept beside a digest, to tell which pepper made it: eight characters of base64, which tell nothing else of it. */
export const pepperName = (pepper: Buffer): string =>
  digestOf(pepper, 'name of the pepper').toString('base64').slice(0, 8)
