import { ApiKey } from '../domain/api-key.ts'
import { ContactInquiry } from '../domain/contact-inquiry.ts'
import { CustomRole } from '../domain/custom-role.ts'
import { Merchant } from '../domain/merchant.ts'
import { Operator } from '../domain/operator.ts'
import { Session } from '../domain/session.ts'
import { User } from '../domain/user.ts'
import { WorkspaceGrant } from '../domain/workspace-grant.ts'

/** Every class that the ORM maps. */
export const entities = [Merchant, User, ApiKey, Session, Operator, CustomRole, WorkspaceGrant, ContactInquiry]
