import { staffUploads } from '../staff-uploads.ts'
import { Tray } from './tray.tsx'

/** The upload tray of signed-in users, on every page. */
export const StaffTray = () => <Tray uploads={staffUploads} />
