import { createJob, type UploadJob, type UploadState } from './upload-job.ts'

/** Creates an upload of 100 bytes in a given state. */
export const createTestJob = (state: UploadState, overrides: Partial<UploadJob> = {}): UploadJob => ({
  ...createJob({
    id: 'a',
    user: 'kim',
    order: 0,
    name: 'Offer.pdf',
    size: 100,
    lastModified: 1,
    directory: { id: 'd', name: 'Contracts' },
    conflict: 'keep',
    isPaused: false,
  }),
  state,
  ...overrides,
})
