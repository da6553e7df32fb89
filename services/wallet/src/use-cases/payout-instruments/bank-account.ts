import { type FieldFault, validationError } from '@svc/errors'

export interface BankAccount {
  bankCode: string
  accountNumber: string
  /** Absent: as the bank knows the account. */
  accountName?: string
}

const MAX_NAME_LENGTH = 100

/** Throws validation_error for what cannot be a bank account. */
export function requireBankAccount({ bankCode, accountNumber, accountName }: BankAccount): void {
  const faults: FieldFault[] = []
  if (!/^[0-9A-Za-z]{3,6}$/.test(bankCode))
    faults.push({ field: 'bank_code', rule: 'format', message: 'bank_code must be 3 to 6 digits or letters.' })
  if (!/^[0-9]{10}$/.test(accountNumber))
    faults.push({ field: 'account_number', rule: 'format', message: 'account_number must be 10 digits.' })
  if (accountName !== undefined && (accountName.trim() === '' || accountName.length > MAX_NAME_LENGTH)) {
    const message = `account_name must be 1 to ${MAX_NAME_LENGTH} characters.`
    faults.push({ field: 'account_name', rule: 'length', limit: MAX_NAME_LENGTH, message })
  }
  const [first, ...others] = faults
  if (first) throw validationError([first, ...others])
}
