import { IndexMigration } from '@svc/database'

/** By which operators find inquiries, however many there are. */
export class InquiryLists extends IndexMigration {
  protected readonly indexes = [
    { name: 'contact_inquiries_of_email', on: 'contact_inquiries (email, created_at DESC, id DESC)' },
    { name: 'contact_inquiries_of_source', on: 'contact_inquiries (source, created_at DESC, id DESC)' },
    { name: 'contact_inquiries_of_review', on: 'contact_inquiries (review_status, created_at DESC, id DESC)' },
  ]
}
