-- Commission on sales to the cent.

-- Whether the commission is that of all sales under the contract up to here, less what was earned before. Earlier sales
-- were rounded one by one.
ALTER TABLE affiliate_conversion ADD COLUMN on_totals INTEGER NOT NULL DEFAULT 0;
