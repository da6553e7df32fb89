export { type Sms, SmsRefusedError, type SmsSender, type SmsSenderOptions, smsSender } from './sms-sender.ts'
