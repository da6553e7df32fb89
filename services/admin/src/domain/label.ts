import { validationError } from '@svc/errors'
import { characterCount } from './character-count.ts'

const MAX_LENGTH = 200

/** Throws unless the label of a key, if there is one, has 1 to 200 characters. */
export function assertLabel(label: string | undefined): void {
  if (label === undefined || (label !== '' && characterCount(label) <= MAX_LENGTH)) return
  throw validationError([
    { field: 'label', rule: 'length', message: `label must have 1 to ${MAX_LENGTH} characters.`, limit: MAX_LENGTH },
  ])
}
