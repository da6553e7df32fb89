import { createHmac } from 'node:crypto'

/** The provider's signature of these bytes, in lower-case hex: of one kind for every hook, made with the API's own key. */
export const signHook = (secretKey: string, body: Buffer): string =>
  createHmac('sha512', secretKey).update(body).digest('hex')
