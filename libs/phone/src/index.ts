export { localPhone, normalizePhone } from './normalize-phone.ts'
