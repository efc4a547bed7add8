-- Royalties are accounted for by the brand, and owed and paid like commission on sales.

-- Whether it is what a contract's royalty is accounted for with: no link that anybody follows or sees.
ALTER TABLE affiliate_link ADD COLUMN royalty INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX affiliate_link_royalty_key ON affiliate_link (contract_id) WHERE royalty;
