import { csv } from '@svc/config'

/** A knob: `id:base64` of 32 bytes, several separated by commas; the first is in use, under all of them is read. */
export const namedKeys = csv.transform((entries, context) => {
  if (entries.length === 0) context.addIssue({ code: 'custom', message: 'names no key' })
  return entries.map((entry) => {
    const [id = '', base64 = ''] = entry.split(':', 2)
    const key = Buffer.from(base64, 'base64')
    if (!/^[a-z0-9_-]{1,32}$/i.test(id) || key.length !== 32) {
      context.addIssue({ code: 'custom', message: 'must be id:base64 of 32 bytes' })
    }
    return { id, key }
  })
})
