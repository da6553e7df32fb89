import { describe, expect, test } from '@jest/globals'
import { type AssetChoice, chosenAssets } from './cloud-asset.ts'

const asset = (wabaId: string, phoneNumberId: string) => ({
  wabaId,
  phoneNumberId,
  displayPhoneNumber: null,
  verifiedName: null,
})
const [first, second, other] = [asset('1', '10'), asset('1', '11'), asset('2', '20')]
const ALL = [first, second, other]

describe('of what a signup has granted', () => {
  test.each<[string, AssetChoice, object[]]>([
    ['nothing named leaves all', {}, ALL],
    ['an account leaves its numbers', { wabaId: '1' }, [first, second]],
    ['a number leaves that number', { phoneNumberId: '20' }, [other]],
    ['both leave that number', { wabaId: '1', phoneNumberId: '11' }, [second]],
  ])('%s', (_what, choice, left) => {
    expect(chosenAssets(ALL, choice)).toEqual(left)
  })

  test.each<[string, AssetChoice, string]>([
    ['a number of nobody', { phoneNumberId: '99' }, 'phone_number_id'],
    ['an account of nobody', { wabaId: '9', phoneNumberId: '10' }, 'waba_id'],
    ['a number of another account', { wabaId: '2', phoneNumberId: '10' }, 'phone_number_id'],
  ])('%s is none, and the field is named', (_what, choice, field) => {
    expect(() => chosenAssets(ALL, choice)).toThrow(
      expect.objectContaining({ code: 'validation_error', details: expect.objectContaining({ field }) }),
    )
  })

  test('where it has granted nothing, nothing is left', () => {
    expect(chosenAssets([], {})).toEqual([])
  })
})
