import { AccountServiceService } from '@svc/contracts/admin/v1/account_service'
import { anyone, inPerson, loginOnly, merchant, rpc, serving } from '@svc/grpc'
import type { Context } from '../context.ts'
import { changePassword } from '../use-cases/accounts/change-password.ts'
import { confirmEmailVerification } from '../use-cases/accounts/confirm-email-verification.ts'
import { confirmPasswordReset } from '../use-cases/accounts/confirm-password-reset.ts'
import { requestPasswordReset } from '../use-cases/accounts/request-password-reset.ts'
import { resendEmailVerification } from '../use-cases/accounts/resend-email-verification.ts'

/** Passwords and addresses of those who log in for a merchant. */
export const accountService = serving<Context>()(AccountServiceService, {
  changePassword: rpc({
    access: inPerson(loginOnly(merchant())),
    async handle(ctx, by, { current_password: currentPassword, new_password: newPassword }) {
      await changePassword(ctx, by, { currentPassword, newPassword })
      return {}
    },
  }),

  requestPasswordReset: rpc({
    access: anyone(),
    async handle(ctx, by, { email }) {
      await requestPasswordReset(ctx, by, { email })
      return {}
    },
  }),

  confirmPasswordReset: rpc({
    access: anyone(),
    async handle(ctx, by, reset) {
      await confirmPasswordReset(ctx, by, reset)
      return {}
    },
  }),

  resendEmailVerification: rpc({
    access: anyone(),
    async handle(ctx, by, { email }) {
      await resendEmailVerification(ctx, by, { email })
      return {}
    },
  }),

  confirmEmailVerification: rpc({
    access: anyone(),
    async handle(ctx, by, { token }) {
      await confirmEmailVerification(ctx, by, { token })
      return {}
    },
  }),
})
