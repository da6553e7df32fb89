export { isUuid, optionalUuid, resourceId, uuidField } from './ids.ts'
export { type Page, pageOf } from './page.ts'
