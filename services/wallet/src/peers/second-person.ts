import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'

/** Whether the calling operator is another person than the one who approved first, and was there before the act began, by what admin knows now. */
export async function isSecondPerson(
  { operators }: Pick<Context, 'operators'>,
  by: By,
  firstApproverId: string,
  { createdAt }: { createdAt: Date },
): Promise<boolean> {
  if (firstApproverId === by.caller.actor.id) return false
  if (!operators) throw new ServiceError('service_unavailable')
  const asked = { first_approver_id: firstApproverId, existed_before: createdAt.toISOString() }
  return (await operators.as(by.caller, { within: by }).checkSecondApprover(asked)).is_second_person
}
