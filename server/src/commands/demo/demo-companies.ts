/** A company of the demo. All people are invented, and `.example` is a reserved domain (RFC 2606). */
export interface DemoCompany {
  name: string
  domain: string
  staff: string[]
  /** The patterns of the files in each directory: the folder, if there is one, and the name. `#` stands for a number. */
  directories: Record<string, string[]>
  /** The recipients of its links. */
  recipients: string[]
}

/** Named, so that recipients see who shares files with them. The admin belongs to its company, which is the first one. */
export const demoOrganisation = { name: 'Tidewater Services', time_zone: 'Europe/London' }

export const demoCompanies: DemoCompany[] = [
  {
    name: 'Tidewater Services',
    domain: 'tidewater.example',
    staff: ['Ines Morgan', 'Paul Adeyemi'],
    directories: {
      Contracts: ['Framework agreement #.pdf', 'Annexes/Annex #.pdf', 'Signed/Signature page #.pdf'],
      'Monthly reports': ['Report 2026-#.pdf', 'Figures 2026-#.csv', 'Chart 2026-#.png'],
      'Press kit': ['Portrait #.jpg', 'Building #.jpg', 'Statement #.txt'],
    },
    recipients: ['press@coastline.example', 'legal@brook.example'],
  },
  {
    name: 'Harbour & Lane Architects',
    domain: 'harbourlane.example',
    staff: ['Mira Lindholm', 'Tom Okafor', 'Sara Weiss'],
    directories: {
      'Quay house': ['Drawings/Elevation #.png', 'Drawings/Ground plan #.pdf', 'Site photo #.jpg', 'Room list #.csv'],
      'Library extension': ['Section #.png', 'Model photo #.jpg', 'Minutes #.txt'],
      'Tender documents': ['Bill of quantities #.csv', 'Conditions #.pdf'],
      'From contractors': ['Offer #.pdf'],
    },
    recipients: ['site@keller-bau.example', 'office@northpier.example', 'planning@city.example'],
  },
  {
    name: 'Brandt Precision',
    domain: 'brandt.example',
    staff: ['Jonas Brandt', 'Lea Hartmann'],
    directories: {
      Drawings: ['Housing rev #.pdf', 'Shaft rev #.pdf', 'Rendering #.jpg'],
      'Measurement series': ['Series #.csv', 'Plot #.png'],
      'Supplier documents': ['Certificate #.pdf'],
    },
    recipients: ['quality@ferro.example', 'purchase@motorwerk.example'],
  },
  {
    name: 'Saltwater Films',
    domain: 'saltwater.example',
    staff: ['Noa Petersen', 'Ravi Menon', 'Elif Kaya'],
    directories: {
      'Location scouting': ['Beach/Beach #.jpg', 'Harbour/Harbour #.jpg', 'Permit #.pdf'],
      'Sound library': ['Note #.wav', 'Room tone #.wav', 'Cue sheet #.csv'],
      'Script versions': ['Draft #.txt', 'Notes #.txt'],
      'Rushes in': ['Still #.jpg'],
    },
    recipients: ['editor@cutroom.example', 'festival@shorts.example', 'sound@foley.example'],
  },
  {
    name: 'Okafor Clinics',
    domain: 'okafor.example',
    staff: ['Ada Okafor', 'Ben Fischer'],
    directories: {
      'Patient information': ['Leaflet #.pdf', 'Opening hours #.txt'],
      Equipment: ['Inventory #.csv', 'Device photo #.jpg', 'Manuals/Manual #.pdf'],
      'Auditor uploads': ['Checklist #.pdf'],
    },
    recipients: ['audit@prufwerk.example', 'service@medtech.example'],
  },
]

/** Directories that recipients may upload to. */
export const editableDirectories = ['From contractors', 'Rushes in', 'Auditor uploads', 'Supplier documents']
