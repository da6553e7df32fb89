export { MailRefusedError } from './mail-refused-error.ts'
export { type Mail, type Mailer, type MailerOptions, mailer } from './mailer.ts'
