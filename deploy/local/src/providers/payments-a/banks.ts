import { Router } from 'express'
import { answer, refuse } from './envelope.ts'

/** As the provider lists them; the codes are the real ones. */
const BANKS = [
  { id: 1, name: 'Access Bank', slug: 'access-bank', code: '044' },
  { id: 2, name: 'First Bank of Nigeria', slug: 'first-bank-of-nigeria', code: '011' },
  { id: 3, name: 'Guaranty Trust Bank', slug: 'guaranty-trust-bank', code: '058' },
  { id: 4, name: 'United Bank For Africa', slug: 'united-bank-for-africa', code: '033' },
  { id: 5, name: 'Zenith Bank', slug: 'zenith-bank', code: '057' },
]

/** The one account number that no bank knows. */
const UNKNOWN_ACCOUNT = '0000000000'

const NAMES = ['ADA OBI', 'TOLU ROBERT', 'WES GIBBONS', 'ZAINAB BELLO']

/** What the platform can pay out altogether. */
export const BALANCE_MINOR = 100_000_000_000

export const bankName = (code: string): string | null => BANKS.find((bank) => bank.code === code)?.name ?? null

/** The holder of an account, the same in every run; null where no bank knows it. */
export function accountHolder(accountNumber: string, bankCode: string): string | null {
  if (!/^\d{10}$/.test(accountNumber) || accountNumber === UNKNOWN_ACCOUNT || bankName(bankCode) === null) return null
  return NAMES[Number(accountNumber) % NAMES.length]!
}

/** What the provider knows about banks, and what lies with it. */
export function bankRoutes(): Router {
  const router = Router()

  router.get('/bank', (_request, response) => {
    const banks = BANKS.map((bank) => ({ ...bank, country: 'Nigeria', currency: 'NGN', type: 'nuban', active: true }))
    answer(response, 'Banks retrieved', banks)
  })

  router.get('/bank/resolve', (request, response) => {
    const { account_number: accountNumber, bank_code: bankCode } = request.query
    if (typeof accountNumber !== 'string' || typeof bankCode !== 'string') {
      return refuse(response, 400, 'Account number and bank code are required', 'missing_params')
    }
    if (bankName(bankCode) === null) return refuse(response, 400, `Unknown bank code: ${bankCode}`, 'invalid_bank_code')
    const name = accountHolder(accountNumber, bankCode)
    if (name === null) {
      return refuse(response, 422, 'Could not resolve account name. Check parameters or try again.')
    }
    answer(response, 'Account number resolved', { account_number: accountNumber, account_name: name })
  })

  router.get('/balance', (_request, response) => {
    answer(response, 'Balances retrieved', [{ currency: 'NGN', balance: BALANCE_MINOR }])
  })

  return router
}
