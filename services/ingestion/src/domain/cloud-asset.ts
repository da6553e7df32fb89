import { type FieldFault, validationError } from '@svc/errors'

/** A phone number of a business account of the messaging app. */
export interface CloudAsset {
  wabaId: string
  phoneNumberId: string
  /** As the provider writes it. */
  displayPhoneNumber: string | null
  verifiedName: string | null
}

/** What a merchant has named of it. */
export interface AssetChoice {
  wabaId?: string | undefined
  phoneNumberId?: string | undefined
}

/**
 * Those of the assets that a choice leaves, all where it names nothing. Throws validation_error where it names one that
 * is not among them: it is not this merchant's.
 */
export function chosenAssets(assets: readonly CloudAsset[], choice: AssetChoice): readonly CloudAsset[] {
  const ofAccount = assets.filter(({ wabaId }) => choice.wabaId === undefined || wabaId === choice.wabaId)
  if (ofAccount.length === 0 && choice.wabaId !== undefined) throw validationError([unknown('waba_id')])
  const chosen = ofAccount.filter(
    ({ phoneNumberId }) => choice.phoneNumberId === undefined || phoneNumberId === choice.phoneNumberId,
  )
  if (chosen.length === 0 && choice.phoneNumberId !== undefined) throw validationError([unknown('phone_number_id')])
  return chosen
}

const unknown = (field: string): FieldFault => ({
  field,
  rule: 'unknown_asset',
  message: `${field} is none of those that the signup has granted.`,
})
