export { fieldsOf, id, instant, minor, ok, orNull, page, rawJson, required, whole, words } from './pieces.ts'
