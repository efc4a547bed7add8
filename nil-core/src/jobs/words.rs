//! The vocabularies of jobs.

use crate::kernel::vocabulary::vocabulary;

vocabulary! {
    /// The kind of engagement.
    JobKind {
        /// One time.
        OneTime = "one_time",
        /// Over a period.
        Ongoing = "ongoing",
        /// An appearance in person.
        Appearance = "appearance",
        /// Licensing of name, image or likeness for a product.
        Licensing = "licensing",
    }
}

vocabulary! {
    /// The kind of compensation.
    Compensation {
        /// Money.
        Cash = "cash",
        /// Goods.
        Product = "product",
        /// Services.
        Service = "service",
        /// Money and goods or services.
        Mixed = "mixed",
        /// A share of the sales of products with the licensed attributes.
        Royalty = "royalty",
        /// A share of the sales the athlete generates.
        Commission = "commission",
    }
}

impl Compensation {
    /// Whether money is certain to be paid.
    #[must_use]
    pub fn needs_cash(self) -> bool {
        matches!(self, Self::Cash | Self::Mixed)
    }

    /// Whether goods or services are given and must be described.
    #[must_use]
    pub fn needs_goods(self) -> bool {
        matches!(self, Self::Product | Self::Service | Self::Mixed)
    }

    /// Whether it is a share of sales.
    #[must_use]
    pub fn is_share_of_sales(self) -> bool {
        matches!(self, Self::Royalty | Self::Commission)
    }
}

vocabulary! {
    /// Who can see a job.
    Visibility {
        /// Every user, once it is open.
        Public = "public",
        /// Only invited athletes.
        InviteOnly = "invite_only",
    }
}

vocabulary! {
    /// Where something is published or done.
    MediaPlatform {
        /// Instagram.
        Instagram = "instagram",
        /// `TikTok`.
        Tiktok = "tiktok",
        /// `YouTube`.
        Youtube = "youtube",
        /// X.
        X = "x",
        /// Facebook.
        Facebook = "facebook",
        /// Snapchat.
        Snapchat = "snapchat",
        /// `LinkedIn`.
        Linkedin = "linkedin",
        /// Twitch.
        Twitch = "twitch",
        /// Threads.
        Threads = "threads",
        /// A podcast.
        Podcast = "podcast",
        /// In person.
        InPerson = "in_person",
        /// Anywhere else.
        Other = "other",
    }
}

impl MediaPlatform {
    /// Whether the athlete needs an account there.
    #[must_use]
    pub fn needs_account(self) -> bool {
        !matches!(self, Self::Podcast | Self::InPerson | Self::Other)
    }

    /// Whether what is done there is published.
    #[must_use]
    pub fn publishes(self) -> bool {
        !matches!(self, Self::InPerson | Self::Other)
    }
}

vocabulary! {
    /// The form of a deliverable.
    MediaKind {
        /// A post in the feed.
        Post = "post",
        /// A reel.
        Reel = "reel",
        /// A story.
        Story = "story",
        /// A short.
        Short = "short",
        /// A video.
        Video = "video",
        /// Live.
        Live = "live",
        /// Several pictures in one post.
        Carousel = "carousel",
        /// An appearance.
        Appearance = "appearance",
        /// An autograph.
        Autograph = "autograph",
        /// Anything else.
        Other = "other",
    }
}

vocabulary! {
    /// Where a brand may use content.
    UsageMedia {
        /// The brand's own accounts.
        OrganicSocial = "organic_social",
        /// Paid social media.
        PaidSocial = "paid_social",
        /// Websites and applications.
        Web = "web",
        /// Mail.
        Email = "email",
        /// Print.
        Print = "print",
        /// Posters and screens.
        OutOfHome = "out_of_home",
        /// Radio and television.
        Broadcast = "broadcast",
    }
}
