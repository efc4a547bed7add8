//! Books kept by the test alone: what callers did, and what everybody has by that. It shares no
//! arithmetic with the platform.

use std::collections::BTreeMap;

/// `sum × part ÷ whole`, rounded half to even, of numbers that are not negative.
pub(super) fn part_of(sum: i64, part: i64, whole: i64) -> i64 {
    let (product, whole) = (i128::from(sum) * i128::from(part), i128::from(whole));
    let (down, twice) = (product / whole, product % whole * 2);
    let up = twice > whole || (twice == whole && down % 2 == 1);
    i64::try_from(down + i128::from(up)).unwrap()
}

/// What became of a movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Open,
    Done,
    Failed,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Refund {
    pub(super) amount: i64,
    pub(super) fee: i64,
    /// What the agent gave of the amount.
    pub(super) commission: i64,
    /// The amount, if the refund asked for its part of the fee.
    in_part: bool,
    pub(super) fate: Fate,
}

#[derive(Clone, Debug)]
pub(super) struct Payment {
    pub(super) id: i64,
    pub(super) deal: usize,
    pub(super) amount: i64,
    pub(super) fee: i64,
    /// The agent's part, as long as the athlete has not taken it back.
    pub(super) commission: i64,
    pub(super) fate: Fate,
    pub(super) refunds: Vec<Refund>,
}

impl Payment {
    fn standing(&self) -> impl Iterator<Item = &Refund> {
        self.refunds.iter().filter(|refund| refund.fate != Fate::Failed)
    }

    /// What can still be refunded.
    pub(super) fn left(&self) -> i64 {
        self.amount - self.standing().map(|refund| refund.amount).sum::<i64>()
    }
}

#[derive(Clone, Debug)]
pub(super) struct Deal {
    pub(super) contract: i64,
    pub(super) athlete: usize,
    /// The agent's share, in basis points, until the athlete cancels.
    pub(super) share: Option<i64>,
    pub(super) agreed: i64,
}

/// What somebody has here: negative if they owe it back.
#[derive(Debug, Default)]
pub(super) struct Books {
    pub(super) deals: Vec<Deal>,
    pub(super) payments: Vec<Payment>,
    /// By the owner's name, such as `athlete:3`.
    pub(super) has: BTreeMap<String, i64>,
    /// What was sent to the owner's bank and has not come back.
    pub(super) sent: BTreeMap<String, i64>,
    pub(super) fees: i64,
    pub(super) refunding: i64,
    pub(super) subscriptions: i64,
    /// What cards were charged, less refunds.
    pub(super) cards: i64,
    /// What the processor has kept of charges.
    pub(super) costs: i64,
    /// The agent's name, and the names of the athletes.
    pub(super) agent: String,
    pub(super) athletes: Vec<String>,
}

impl Books {
    /// A card is charged, if there is anything to charge; the processor keeps its part.
    pub(super) fn charged(&mut self, cents: i64) {
        self.cards += cents;
        if cents > 0 {
            self.costs += (cents * 29 + 500) / 1_000 + 30;
        }
    }

    pub(super) fn give(&mut self, who: &str, cents: i64) {
        *self.has.entry(who.into()).or_default() += cents;
    }

    /// What a payment of this amount costs: the fee of five percent and the agent's share of all
    /// that was paid under the deal, less what was taken before.
    pub(super) fn line(&self, deal: usize, amount: i64, fee_rate: i64) -> (i64, i64) {
        let paid = self.payments.iter().filter(|one| one.deal == deal && one.fate != Fate::Failed);
        let (mut sum, mut fee, mut commission) = (amount, 0, 0);
        for one in paid {
            sum += one.amount;
            fee += one.fee;
            commission += one.commission;
        }
        let taken = self.deals[deal]
            .share
            .map_or(0, |share| (part_of(sum, share, 10_000) - commission).clamp(0, amount));
        ((part_of(sum, fee_rate, 10_000) - fee).max(0), taken)
    }

    /// What is left to pay under a deal.
    pub(super) fn owed(&self, deal: usize) -> i64 {
        let paid = self.payments.iter().filter(|one| one.deal == deal && one.fate != Fate::Failed);
        self.deals[deal].agreed - paid.map(|one| one.amount).sum::<i64>()
    }

    pub(super) fn payment_ends(&mut self, at: usize, fate: Fate) {
        self.payments[at].fate = fate;
        if fate == Fate::Failed {
            return;
        }
        let paid = self.payments[at].clone();
        self.charged(paid.amount + paid.fee);
        self.fees += paid.fee;
        let athlete = self.athletes[self.deals[paid.deal].athlete].clone();
        self.give(&athlete, paid.amount - paid.commission);
        let agent = self.agent.clone();
        self.give(&agent, paid.commission);
    }

    /// Sets a refund aside.
    pub(super) fn refund(&mut self, at: usize, amount: i64, how: &str) -> Refund {
        let paid = &self.payments[at];
        let (mut before, mut fee, mut commission) = (0, 0, 0);
        let (mut asked, mut in_parts) = (amount, 0);
        for one in paid.standing() {
            before += one.amount;
            fee += one.fee;
            commission += one.commission;
            if one.in_part {
                asked += one.amount;
                in_parts += one.fee;
            }
        }
        let left = paid.fee - fee;
        let refund = Refund {
            amount,
            fee: match how {
                "none" => 0,
                "all" => left,
                _ => (part_of(paid.fee, asked, paid.amount) - in_parts).clamp(0, left),
            },
            commission: if self.deals[paid.deal].share.is_none() {
                0
            } else {
                (part_of(paid.commission, before + amount, paid.amount) - commission)
                    .clamp(0, amount)
            },
            in_part: how == "proportional",
            fate: Fate::Open,
        };
        let athlete = self.athletes[self.deals[paid.deal].athlete].clone();
        let agent = self.agent.clone();
        self.payments[at].refunds.push(refund);
        self.give(&athlete, refund.commission - amount);
        self.give(&agent, -refund.commission);
        self.fees -= refund.fee;
        self.refunding += amount + refund.fee;
        refund
    }

    pub(super) fn refund_ends(&mut self, (payment, at): (usize, usize), fate: Fate) {
        let refund = self.payments[payment].refunds[at];
        self.payments[payment].refunds[at].fate = fate;
        self.refunding -= refund.amount + refund.fee;
        if fate == Fate::Done {
            self.cards -= refund.amount + refund.fee;
            return;
        }
        self.fees += refund.fee;
        let deal = &self.deals[self.payments[payment].deal];
        let athlete = self.athletes[deal.athlete].clone();
        // Who has no agent any more gets all of it.
        if deal.share.is_none() {
            self.payments[payment].commission -= refund.commission;
            self.give(&athlete, refund.amount);
        } else {
            let agent = self.agent.clone();
            self.give(&athlete, refund.amount - refund.commission);
            self.give(&agent, refund.commission);
        }
    }

    /// The athlete cancels the contract with the agent in time: of the payments under deals from
    /// `first` on, the agent keeps nothing but what refunds took of it.
    pub(super) fn cancel(&mut self, athlete: usize, first: usize) {
        let name = self.athletes[athlete].clone();
        for at in 0..self.payments.len() {
            let paid = &self.payments[at];
            let deal = &self.deals[paid.deal];
            if paid.deal < first || deal.athlete != athlete || deal.share.is_none() {
                continue;
            }
            let kept: i64 = paid.standing().map(|refund| refund.commission).sum();
            let back = paid.commission - kept;
            if paid.fate == Fate::Done {
                let agent = self.agent.clone();
                self.give(&name, back);
                self.give(&agent, -back);
            }
            self.payments[at].commission = kept;
        }
        for deal in self.deals.iter_mut().skip(first).filter(|deal| deal.athlete == athlete) {
            deal.share = None;
        }
    }
}

/// One charge of a period of a subscription, and what of the period's price it pays for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    pub(super) invoice: i64,
    pub(super) charged: i64,
    pub(super) credited: i64,
    pub(super) price: i64,
    pub(super) given_back: i64,
}

/// A brand's period, in days.
#[derive(Clone, Debug, Default)]
pub(super) struct Period {
    pub(super) days: i64,
    pub(super) layers: Vec<Layer>,
}

impl Period {
    /// What of the price was paid and not given back.
    pub(super) fn kept(&self) -> i64 {
        let kept = self.layers.iter().filter(|layer| layer.given_back == 0);
        kept.map(|layer| layer.price - layer.credited).sum()
    }

    /// What a change to a plan of this price costs, with so many days left, and what it credits.
    pub(super) fn change(&self, price: i64, left: i64) -> (i64, i64) {
        let credited = self.kept().min(price);
        (part_of(price, left, self.days) - part_of(credited, left, self.days), credited)
    }

    /// What a refund by a rule gives back; none if there is nothing left.
    pub(super) fn refund(&self, at: usize, rule: &str, left: i64) -> Option<i64> {
        let layer = self.layers[at];
        let whole = layer.charged - layer.given_back;
        let days = part_of(layer.price, left, self.days) - part_of(layer.credited, left, self.days);
        let cents = if rule == "full" { whole } else { (days - layer.given_back).min(whole) };
        (cents > 0).then_some(cents)
    }
}
