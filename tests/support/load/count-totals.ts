/** Statements that recount the totals of companies, after rows were inserted directly. */
export const countTotals = [
  'delete from company_total',
  `insert into company_total (company_id, directories, files, links)
    select company_id, sum(directories), sum(files), sum(links) from (
      select company_id, count(*) as directories, sum(files) as files, 0 as links from directory
        where deleted_at is null and parent_id is null group by company_id
      union all select company_id, 0, 0, count(*) from link group by company_id) as counted group by company_id`,
  `insert into company_total (company_id, directories, files, links)
    select '', sum(directories), sum(files), sum(links) from company_total`,
]

/** Statements that store the sums of users with many selected companies, after `countTotals`. */
export const countSums = [
  `insert into company_total (company_id, directories, files, links)
    select user_id, sum(directories), sum(files), sum(links) from user_company as selected
    join company_total on company_total.company_id = selected.company_id group by user_id having count(*) > 200`,
  `insert into transfer (company_id, day, uploads, downloads, bytes_in, bytes_out)
    select user_id, day, sum(uploads), sum(downloads), sum(bytes_in), sum(bytes_out) from user_company as selected
    join transfer on transfer.company_id = selected.company_id
    where user_id in (select company_id from company_total) group by user_id, day`,
]
